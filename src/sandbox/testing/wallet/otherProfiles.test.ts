import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createPaymentsClient } from '../../../redeemkit/api/createPaymentsClient.ts'
import { login } from '../../../redeemkit/auth/login.ts'
import type { ChainAdapter } from '../../../redeemkit/core/chainAdapter.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import * as solanaSignIn from '../../../redeemkit/solana/authMessage/authMessage.fixture.ts'
import { signUsdcTransfer, solanaAdapter, sponsorUsdcTransfer } from '../../../redeemkit/solana/index.ts'
import * as solana from '../../../redeemkit/solana/solana.fixture.ts'
import { transfer } from '../../../redeemkit/solana/usdcTransfer/usdcTransfer.fixture.ts'
import * as stellarSignIn from '../../../redeemkit/stellar/authMessage/authMessage.fixture.ts'
import { TransactionBuilder } from '../../../redeemkit/stellar/sdk.ts'
import * as stellar from '../../../redeemkit/stellar/stellar.fixture.ts'
import { stellarAdapter } from '../../../redeemkit/stellar/stellarAdapter.ts'
import { signTransaction } from '../../../redeemkit/stellar/transaction/signTransaction.ts'
import {
  type FakeSolanaWallet,
  fakeSolanaWallet,
  type SolanaProfileName,
  solanaProfiles,
} from './fakeSolanaWallet.ts'
import {
  type FakeStellarWallet,
  fakeStellarWallet,
  type StellarProfileName,
  stellarProfiles,
} from './fakeStellarWallet.ts'
import { walletProfiles } from './index.ts'

type Outcome = 'works' | `${string}Error`

/** Signs in to a service that requests this message. */
async function signIn(adapter: ChainAdapter, message: string, host: string, now: () => number) {
  const paths: string[] = []
  const client = createPaymentsClient({
    baseUrl: `https://${host}`,
    merchantId: 'shop',
    blockchain: adapter.blockchain,
    environment: 'sandbox',
    now,
    fetch: async (url) => {
      paths.push(new URL(url).pathname)
      return Response.json(url.endsWith('/verify') ? {} : { message })
    },
  })
  const result = await login(client, { adapter }).catch((error: unknown) => error)
  return { result, verified: paths.includes('/api/auth/verify') }
}

function expectOutcome(result: unknown, outcome: Outcome): void {
  if (outcome !== 'works') {
    expect(result).toMatchObject({ name: outcome })
    expect(result).toBeInstanceOf(BaseError)
  } else if (result instanceof Error) throw result
}

describe('Solana', () => {
  const expected: Record<SolanaProfileName, { transfer?: Outcome; login?: Outcome }> = {
    'phantom-assertions-around': {},
    'solflare-assertions-after': {},
    'trust-raises-the-fee': { transfer: 'ChangedByWalletError' },
    'solflare-message-undefined': { login: 'WrongSignatureError' },
  }
  const play = (profile: SolanaProfileName) => fakeSolanaWallet({ keypair: solana.customer, profile })
  const pay = async (wallet: FakeSolanaWallet) => {
    const { transaction } = await signUsdcTransfer(wallet, {
      transaction: transfer.transaction,
      expected: transfer,
    })
    return sponsorUsdcTransfer(solana.sponsor, { transaction, expected: transfer })
  }

  test.each(solanaProfiles)('$wallet pays: $what', async ({ name }) => {
    const wallet = play(name)
    expectOutcome(await pay(wallet).catch((error: unknown) => error), expected[name].transfer ?? 'works')
    expect(wallet.prompts).toEqual(['signTransaction'])
  })

  test.each(solanaProfiles)('$wallet signs in: $what', async ({ name }) => {
    const wallet = play(name)
    const adapter = solanaAdapter({ signer: wallet, environment: 'sandbox' })
    const { message, now } = solanaSignIn
    const outcome = expected[name].login ?? 'works'
    const { result, verified } = await signIn(adapter, message, 'pay.example', now)
    expectOutcome(result, outcome)
    expect(verified).toBe(outcome === 'works')
    expect(wallet.prompts).toEqual(['signMessage'])
  })

  test('a wallet that adds assertions signs a transaction that contains them', async () => {
    const lengths = async (profile?: SolanaProfileName) => {
      const { VersionedTransaction } = await import('@solana/web3.js')
      const { transaction } = await pay(fakeSolanaWallet({ keypair: solana.customer, profile }))
      const { message } = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
      return message.compiledInstructions.map(({ data }) => data.length)
    }
    const plain = await lengths()
    // As in the report: three after the two compute budget instructions, and one at the end.
    expect(await lengths('phantom-assertions-around')).toEqual([
      ...plain.slice(0, 2),
      ...[17, 52, 16],
      ...plain.slice(2),
      27,
    ])
    expect(await lengths('solflare-assertions-after')).toEqual([...plain, 16, 17])
  })

  test('a sandbox account, whose public key has no text form, can sign', async () => {
    const { publicKey, secretKey } = solana.customer
    const keypair = { publicKey: { toBase58: () => publicKey.toBase58() }, secretKey }
    await pay(fakeSolanaWallet({ keypair }))
  })

  test('a rejection is final', async () => {
    const wallet = fakeSolanaWallet({ keypair: solana.customer, rejects: 'every' })
    await expect(pay(wallet)).rejects.toMatchObject({ name: 'UserRejectedError' })
    expect(wallet.prompts).toEqual(['signTransaction'])
  })
})

describe('Stellar', () => {
  const expected: Record<StellarProfileName, { payment?: Outcome; login?: Outcome }> = {
    'freighter-buffer-as-json': {},
    'freighter-base64': {},
    'wallets-kit-encodes-twice': {},
    'freighter-decodes-before-it-signs': { login: 'WrongSignatureError' },
    'freighter-refuses-messages': { login: 'UserRejectedError' },
    'rabet-invalid-xdr': { payment: 'WalletFailedError' },
  }
  const play = (profile: StellarProfileName) => fakeStellarWallet({ keypair: stellar.customer, profile })
  const pay = (wallet: FakeStellarWallet) =>
    signTransaction(wallet, {
      environment: 'sandbox',
      now: stellar.now,
      latestLedger: 1000,
      transaction: stellar.build().toXDR(),
      expected: stellar.payment,
    })

  test.each(stellarProfiles)('$wallet pays: $what', async ({ name }) => {
    const wallet = play(name)
    expectOutcome(await pay(wallet).catch((error: unknown) => error), expected[name].payment ?? 'works')
    expect(wallet.prompts).toEqual(['signTransaction'])
  })

  test.each(stellarProfiles)('$wallet signs in: $what', async ({ name }) => {
    const wallet = play(name)
    const adapter = stellarAdapter({ signer: wallet, environment: 'sandbox' })
    const { text, now } = stellarSignIn
    const outcome = expected[name].login ?? 'works'
    const { result, verified } = await signIn(adapter, text(), 'shop.example', now)
    expectOutcome(result, outcome)
    expect(verified).toBe(outcome === 'works')
    expect(wallet.prompts).toEqual(['signMessage'])
  })

  test('signs with its own key', async () => {
    const signed = TransactionBuilder.fromXDR(
      await pay(fakeStellarWallet({ keypair: stellar.customer })),
      stellar.networkPassphrase,
    )
    const [signature] = signed.signatures.map((one) => one.signature())
    expect(signature && stellar.customer.verify(signed.hash(), signature)).toBe(true)
  })

  test('signs the hash of an authorization entry’s preimage', async () => {
    const wallet = fakeStellarWallet({ keypair: stellar.customer })
    const preimage = Buffer.from('a preimage')
    const answer = await wallet.signAuthEntry(preimage.toString('base64'))
    const { signedAuthEntry } = answer as { signedAuthEntry: string } // the result type of SEP-43
    const digest = createHash('sha256').update(preimage).digest()
    expect(stellar.customer.verify(digest, Buffer.from(signedAuthEntry, 'base64'))).toBe(true)
    expect(wallet.prompts).toEqual(['signAuthEntry'])
  })

  test('a rejection is final', async () => {
    const wallet = fakeStellarWallet({ keypair: stellar.customer, rejects: 'every' })
    await expect(pay(wallet)).rejects.toMatchObject({ name: 'UserRejectedError' })
    expect(wallet.prompts).toEqual(['signTransaction'])
  })

  test('a wallet on another network gets no request', async () => {
    const wallet = fakeStellarWallet({
      keypair: stellar.customer,
      networkPassphrase: stellar.pubnet.networkPassphrase,
    })
    await expect(pay(wallet)).rejects.toMatchObject({ name: 'WrongNetworkError' })
    expect(wallet.prompts).toEqual([])
  })
})

const table = readFileSync(new URL('PROFILES.md', import.meta.url), 'utf8')

test('PROFILES.md lists every profile with its report', () => {
  const rows = walletProfiles.map(
    ({ name, wallet, what, reported }) => `| \`${name}\` | ${wallet} | ${what} | ${reported} |`,
  )
  expect(table.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows)
})

test('profile names are unique, and every report is an issue or a pull request', () => {
  const names = walletProfiles.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(20)
  for (const { reported } of walletProfiles)
    expect(reported).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+$/)
})
