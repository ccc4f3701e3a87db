import { verifyAuth } from '../../../redeemkit/api/endpoints/auth.ts'
import { login } from '../../../redeemkit/auth/login.ts'
import type { Blockchain } from '../../../redeemkit/core/blockchains.ts'
import type { ChainAdapter } from '../../../redeemkit/core/chainAdapter.ts'
import { evmAdapter } from '../../../redeemkit/evm/evmAdapter.ts'
import type { EvmSigner } from '../../../redeemkit/evm/signer/toSigner.ts'
import { solanaAdapter } from '../../../redeemkit/solana/solanaAdapter.ts'
import { Keypair } from '../../../redeemkit/stellar/sdk.ts'
import { stellarAdapter } from '../../../redeemkit/stellar/stellarAdapter.ts'
import { check, clientOf, type DemoPart, printTable, refused, shortened } from './demoPart.ts'
import type { DemoSandbox } from './demoSandbox.ts'

export const signIn: DemoPart = {
  title: 'Sign in on every chain family: keys, passkey, access key, hardware wallet, challenge transaction',
  run: async (demo, progress) => {
    const rows: string[][] = []
    for (const [signer, signs, adapter, stranger] of wallets(demo)) {
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

type Wallet = readonly [
  signer: string,
  signs: string,
  adapter: ChainAdapter & { blockchain: Blockchain },
  stranger: string,
]

function wallets({ sandbox, home, solana, stellar, tempo }: DemoSandbox): readonly Wallet[] {
  const { alice, bob } = sandbox.accounts
  const environment = 'sandbox'
  const { client } = home
  const onBase = evmAdapter({ signer: alice.account, blockchain: 'base', environment, client })
  const onTempo = (key: { address: string }) =>
    evmAdapter({
      // A Tempo signer has the methods of a viem account, but with other types.
      signer: key as unknown as EvmSigner,
      blockchain: 'tempo',
      chainId: tempo.chainId,
      client: tempo.client,
    })
  const onSolana = (use?: 'transaction') =>
    solanaAdapter({ signer: solana.accounts.alice, environment, ...(use && { use }) })
  const keypair = Keypair.fromSecret(stellar.accounts.alice.secretKey)
  const onStellar = (via: 'message' | 'transaction') => stellarAdapter({ signer: keypair, environment, via })
  const [solanaBob, stellarBob] = [solana.accounts.bob.address, stellar.accounts.bob.address]
  return [
    ['key', 'EIP-4361 text', onBase, bob.address],
    ['passkey (WebAuthn)', 'EIP-4361 text', onTempo(tempo.accounts.passkey), bob.address],
    ['P-256 key', 'EIP-4361 text', onTempo(tempo.accounts.p256), bob.address],
    ['access key', 'EIP-4361 text', onTempo(tempo.accounts.accessKey), bob.address],
    ['key', 'message', onSolana(), solanaBob],
    ['hardware wallet', 'memo that is never executed', onSolana('transaction'), solanaBob],
    ['key', 'message (SEP-53)', onStellar('message'), stellarBob],
    ['key', 'challenge (SEP-10)', onStellar('transaction'), stellarBob],
  ]
}
