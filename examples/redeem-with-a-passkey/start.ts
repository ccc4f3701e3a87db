import { createPublicClient, http, keccak256, stringToHex } from 'viem'
import { softwarePasskey } from '../../src/sandbox/chains/tempo/tempoAccounts.ts'
import { besideSandbox } from '../besideSandbox.ts'
import type { Start } from '../example.ts'
import { receiptText } from '../receiptText.ts'
import { redeemWithPasskey } from './index.ts'

/** The service's own customer pays Bob on Tempo, with a passkey in software. */
export const start: Start = ({ say }) =>
  besideSandbox({ say, sandbox: { blockchains: ['base', 'tempo'] } }, async ({ tempo, url, accounts }) => {
    if (tempo === undefined) throw new Error('The service runs without Tempo.')
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
