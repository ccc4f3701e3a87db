import { verifyAuth } from '../../../redeemkit/api/endpoints/auth.ts'
import { login } from '../../../redeemkit/auth/login.ts'
import type { Blockchain } from '../../../redeemkit/core/blockchains.ts'
import type { ChainAdapter } from '../../../redeemkit/core/chainAdapter.ts'
import { evmAdapter } from '../../../redeemkit/evm/evmAdapter.ts'
import type { EvmSigner } from '../../../redeemkit/evm/signer/toSigner.ts'
import { solanaAdapter } from '../../../redeemkit/solana/solanaAdapter.ts'
import { Keypair } from '../../../redeemkit/stellar/sdk.ts'
import { stellarAdapter } from '../../../redeemkit/stellar/stellarAdapter.ts'
import { check, clientOf, type DemoPart, refused } from './demoPart.ts'
import type { DemoSandbox } from './demoSandbox.ts'
import { printTable, shortened } from './report.ts'

export const signIn: DemoPart = {
  title: 'Sign in on every chain family: keys, passkey, access key, hardware wallet, challenge transaction',
  run: async (demo, progress) => {
    const rows: string[][] = []
    for (const { signer, signs, adapter, stranger } of wallets(demo)) {
      progress(`${adapter.blockchain}, ${signer}`)
      const client = clientOf(demo, { blockchain: adapter.blockchain })
      const { wallet, signedMessage, expiresAt } = await login(client, { adapter })
      check(expiresAt !== undefined && expiresAt * 1000 > Date.now(), 'the credential expires')
      // The client has stored the credential, so another sign-in needs no wallet.
      await verifyAuth(client, { wallet, signedMessage })
      // The service rejects the credential for another wallet.
      await refused(() => verifyAuth(client, { wallet: stranger, signedMessage }), 'UnauthenticatedError')
      rows.push([adapter.blockchain, signer, signs, wallet, `${signedMessage.length} characters`])
    }
    return () =>
      printTable('Sign-in: login(client, { adapter }) on every chain', {
        head: ['chain', 'signer', 'signed', 'wallet', 'credential'],
        rows: rows.map((row) => row.map(shortened)),
        note: 'Each message was checked before the prompt. Each credential was rejected for another wallet.',
      })
  },
}

type Wallet = {
  signer: string
  signs: string
  adapter: ChainAdapter & { blockchain: Blockchain }
  stranger: string
}

function wallets({ sandbox, home, solana, stellar, tempo }: DemoSandbox): readonly Wallet[] {
  const { alice, bob } = sandbox.accounts
  const onTempo = (signer: string, key: { address: string }): Wallet => ({
    signer,
    signs: 'EIP-4361 text',
    // A Tempo signer has the methods of a viem account, but with other types.
    adapter: evmAdapter({
      signer: key as unknown as EvmSigner,
      blockchain: 'tempo',
      chainId: tempo.chainId,
      client: tempo.client,
    }),
    stranger: bob.address,
  })
  const onStellar = (via: 'message' | 'transaction') =>
    stellarAdapter({
      signer: Keypair.fromSecret(stellar.accounts.alice.secretKey),
      environment: 'sandbox',
      via,
    })
  return [
    {
      signer: 'key',
      signs: 'EIP-4361 text',
      adapter: evmAdapter({
        signer: alice.account,
        blockchain: 'base',
        environment: 'sandbox',
        client: home.client,
      }),
      stranger: bob.address,
    },
    onTempo('passkey (WebAuthn)', tempo.accounts.passkey),
    onTempo('P-256 key', tempo.accounts.p256),
    onTempo('access key', tempo.accounts.accessKey),
    {
      signer: 'key',
      signs: 'message',
      adapter: solanaAdapter({ signer: solana.accounts.alice, environment: 'sandbox' }),
      stranger: solana.accounts.bob.address,
    },
    {
      signer: 'hardware wallet',
      signs: 'memo that is never executed',
      adapter: solanaAdapter({ signer: solana.accounts.alice, environment: 'sandbox', use: 'transaction' }),
      stranger: solana.accounts.bob.address,
    },
    {
      signer: 'key',
      signs: 'message (SEP-53)',
      adapter: onStellar('message'),
      stranger: stellar.accounts.bob.address,
    },
    {
      signer: 'key',
      signs: 'challenge (SEP-10)',
      adapter: onStellar('transaction'),
      stranger: stellar.accounts.bob.address,
    },
  ]
}
