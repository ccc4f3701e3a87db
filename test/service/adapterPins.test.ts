import { Keypair as SolanaKeypair } from '@solana/web3.js'
import { Keypair } from '@stellar/stellar-sdk'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { ChainAdapter } from '../../src/redeemkit/core/chainAdapter.ts'
import { evmAdapter } from '../../src/redeemkit/evm/index.ts'
import { solanaAdapter } from '../../src/redeemkit/solana/index.ts'
import { stellarAdapter } from '../../src/redeemkit/stellar/index.ts'

/*
 * A service's response may contain further fields, and adapters are also used without `login`. No such field may set an
 * option: the network, the site, the server's key, or the permission to sign plain text.
 */

const evm = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const solana = SolanaKeypair.fromSeed(new Uint8Array(32).fill(1))
const stellar = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 1))
const time = Date.parse('2026-11-20T12:00:00Z')
const [environment, blockchain] = ['sandbox', 'base'] as const
const families: [ChainAdapter, account: string, address: string, chains: { own: string; other: string }][] = [
  [
    evmAdapter({ signer: evm, blockchain, environment }),
    'Ethereum',
    evm.address,
    { own: 'Chain ID: 84532', other: 'Chain ID: 8453' },
  ],
  [
    solanaAdapter({ signer: solana, environment }),
    'Solana',
    solana.publicKey.toBase58(),
    { own: 'Chain ID: solana:devnet', other: 'Chain ID: solana:mainnet' },
  ],
  [
    stellarAdapter({ signer: stellar, environment }),
    'Stellar',
    stellar.publicKey(),
    { own: 'Network: testnet', other: 'Network: pubnet' },
  ],
]
const smuggled = {
  environment: 'prod',
  chainId: 8453,
  blockchain: 'base',
  allowPlainText: true,
  domains: ['evil.example'],
  now: () => 0,
  address: undefined,
  use: 'transaction',
  via: 'transaction',
  serverKey: undefined,
}

test.each(families)(
  '$family: pinned values come from the adapter and the caller',
  async (adapter, account, address, chains) => {
    const write = (domain: string, chain: string) =>
      `${domain} wants you to sign in with your ${account} account:\n${address}\n\nSign in.\n\nURI: https://${domain}/\nVersion: 1\n${chain}\nNonce: 0123456789abcdef\nIssued At: ${new Date(time).toISOString()}\nExpiration Time: ${new Date(time + 3_600_000).toISOString()}`
    const sign = (message: string) =>
      adapter.signAuthMessage({ ...smuggled, message }, { domains: ['shop.example'], now: () => time })
    const signed = await sign(write('shop.example', chains.own))
    expect(
      await adapter.verifyAuthMessage({ ...smuggled, message: write('shop.example', chains.own) }, signed),
    ).toBe(true)
    await expect(sign(write('evil.example', chains.own))).rejects.toMatchObject({
      field: expect.stringMatching(/domain/),
    })
    await expect(sign(write('shop.example', chains.other))).rejects.toMatchObject({
      field: expect.stringMatching(/chain|network/i),
    })
    await expect(sign('I owe you 100 USDC')).rejects.toMatchObject({
      field: expect.stringMatching(/message/),
    })
  },
)
