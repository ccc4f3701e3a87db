import { createPaymentsClient, formatUsd, type redeem } from 'redeemkit'
import { createPublicClient, http, keccak256, stringToHex } from 'viem'
import { safeMintMerchant721Abi, safeMintMerchant721Bytecode } from '../../contracts/generated/merchants.ts'
import { softwarePasskey } from '../../src/sandbox/chains/tempo/tempoAccounts.ts'
import { payTenDollars } from '../redeem-in-one-call.ts'
import { buyNft } from '../redeem-step-by-step.ts'
import { redeemWithPasskey } from '../redeem-with-a-passkey.ts'
import { signIn } from '../sign-in.ts'
import { payInPortuguese } from '../user-messages.ts'
import { baseOf, besideSandbox, type Start } from './besideSandbox.ts'

/** Lets Alice pay Bob 10 dollars on this machine. */
const redeemInOneCall: Start = ({ say }) =>
  besideSandbox({ say }, async (sandbox) => {
    const { alice, bob } = sandbox.accounts
    const base = baseOf(sandbox)
    say('Alice pays Bob 10 dollars')
    const outcome = await payTenDollars({
      orderId: 'order 1',
      baseUrl: sandbox.url,
      signer: alice.account,
      publicClient: createPublicClient({ transport: http(base.rpcUrl) }),
      pinned: base.pinned,
      shop: bob.address,
    })
    return { succeeded: true, howTo: receiptText(outcome) }
  })

/** Deploys a contract, from which Alice buys an NFT. */
const redeemStepByStep: Start = ({ say }) =>
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

/** Lets the sandbox's own customer pay Bob on Tempo, with a passkey in software. */
const redeemWithAPasskey: Start = ({ say }) =>
  besideSandbox({ say, sandbox: { blockchains: ['base', 'tempo'] } }, async ({ tempo, url, accounts }) => {
    if (tempo === undefined) throw new Error('The sandbox does not run Tempo.')
    say('A passkey signs a redeem')
    const { outcome } = await redeemWithPasskey({
      baseUrl: url,
      passkey: softwarePasskey({
        privateKey: keccak256(stringToHex('redeemkit sandbox tempo passkey')),
        rpId: 'shop.example',
        origin: 'https://shop.example',
      }),
      publicClient: createPublicClient({ transport: http(tempo.rpcUrl) }),
      pinned: tempo.pinned,
      shop: accounts.bob.address,
    })
    return { succeeded: true, howTo: receiptText(outcome) }
  })

const signInOnce: Start = ({ say }) =>
  besideSandbox({ say }, async (sandbox) => {
    say('Alice signs in')
    const { wallet, blockchain } = await signIn({
      baseUrl: sandbox.url,
      signer: sandbox.accounts.alice.account,
    })
    return { succeeded: true, howTo: `Signed in: ${wallet} on ${blockchain}` }
  })

/** Lets Alice pay Bob, and reject the second payment. */
const userMessages: Start = ({ say }) =>
  besideSandbox({ say }, async (sandbox) => {
    const { alice, bob } = sandbox.accounts
    const base = baseOf(sandbox)
    const client = createPaymentsClient({
      baseUrl: sandbox.url,
      merchantId: sandbox.merchantId,
      blockchain: 'base',
      environment: 'sandbox',
    })
    const said: string[] = []
    const pay = (signer: Parameters<typeof payInPortuguese>[1]['signer']) =>
      payInPortuguese(client, {
        wallet: alice.address,
        signer,
        publicClient: createPublicClient({ transport: http(base.rpcUrl) }),
        pinned: base.pinned,
        shop: bob.address,
        say: (text) => said.push(`  ${text}`),
      })
    say('Alice pays')
    await pay(alice.account)
    say('Alice rejects the request in her wallet')
    await pay({
      request: async ({ method }: { method: string }) => {
        if (/accounts$/i.test(method)) return [alice.address]
        if (method === 'eth_chainId') return `0x${base.chainId.toString(16)}`
        throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
      },
    })
    return { succeeded: true, howTo: `What the page said:\n\n${said.join('\n')}` }
  })

/** Examples that are one function, and end when it returns. The others have a `start.ts`. */
export const startFunctions: Readonly<Record<string, Start>> = {
  'redeem-in-one-call': redeemInOneCall,
  'redeem-step-by-step': redeemStepByStep,
  'user-messages': userMessages,
  'sign-in': signInOnce,
  'redeem-with-a-passkey': redeemWithAPasskey,
}

function receiptText(outcome: NonNullable<redeem.ReturnType['outcome']>): string {
  const lines: [string, string][] =
    outcome.intentBound === false
      ? []
      : [
          ['Paid', `${formatUsd(outcome.amount)} to ${outcome.target}`],
          [
            '  from credits',
            `${formatUsd(outcome.charged)}, of which ${formatUsd(outcome.gasFee)} is the fee for gas`,
          ],
          ...(outcome.usdcAmount === 0n
            ? []
            : [['  in USDC', formatUsd(outcome.usdcAmount)] satisfies [string, string]]),
        ]
  const tokens = outcome.movements.filter(
    ({ direction, standard }) => direction === 'in' && standard !== 'ERC-20',
  )
  return [
    ...lines,
    ...tokens.map(({ standard, tokenId }) => [`  ${standard}`, `number ${tokenId}, received`] as const),
    ['  transaction', outcome.hash] as const,
  ]
    .map(([name, value]) => `${name.padEnd(16)}${value}`)
    .join('\n')
}
