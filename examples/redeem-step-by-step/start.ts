import { createPublicClient, http } from 'viem'
import {
  safeMintMerchant721Abi,
  safeMintMerchant721Bytecode,
} from '../../contracts/generated/SafeMintMerchant721.ts'
import { baseOf, besideSandbox } from '../besideSandbox.ts'
import type { Start } from '../example.ts'
import { receiptText } from '../receiptText.ts'
import { buyNft } from './index.ts'

/** Deploys a contract, from which Alice buys an NFT. */
export const start: Start = ({ say }) =>
  besideSandbox({ say }, async (sandbox) => {
    const { alice } = sandbox.accounts
    const base = baseOf(sandbox)
    say('Deploying and whitelisting the shop’s contract')
    const shop = await sandbox.deploy({
      abi: safeMintMerchant721Abi,
      bytecode: safeMintMerchant721Bytecode,
      args: [base.usdc],
    })
    await sandbox.whitelist({ target: shop })
    say('Alice buys an NFT')
    const kept = new Map<string, string>()
    const outcome = await buyNft({
      baseUrl: sandbox.url,
      wallet: alice.address,
      signer: alice.account,
      publicClient: createPublicClient({ transport: http(base.rpcUrl) }),
      pinned: base.pinned,
      shop,
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => {
          kept.set(key, value)
        },
      },
    })
    return { succeeded: true, howTo: receiptText(outcome) }
  })
