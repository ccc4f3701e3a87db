import {
  Keypair,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUsdcTransfer, tokenAccountOf } from '../../src/redeemkit/solana/index.ts'
import { startSolana } from '../../src/sandbox/chains/solana/startSolana.ts'
import { createSandbox } from '../../src/sandbox/createSandbox.ts'
import type { Sandbox } from '../../src/sandbox/start/sandbox.ts'
import { type Caller, caller, customer } from './sandboxClient.ts'
import { lamportsGuard, lighthouse, memoryClose, tokenGuard } from './solanaGuards.ts'

/*
 * On mainnet, Phantom and Solflare add Lighthouse assertions to transactions they sign first (x402-foundation/x402
 * issues 991, 2097, 3318). Here such a transaction is prepared by the service, signed by such a wallet, inspected,
 * co-signed and settled. The local chain does not evaluate the assertions.
 */

let solana: startSolana.ReturnType
let sandbox: Sandbox
let service: Caller

beforeAll(async () => {
  solana = await startSolana()
  const sponsor = solana.createTestAccount({ sol: 1_000_000_000_000n })
  sandbox = createSandbox({
    chains: [],
    merchants: [{ merchantId: 'shop', apiKey: 'sk_test_shop' }],
    solana: { rpcUrl: solana.rpcUrl, sponsorKey: sponsor.secretKey },
  })
  service = caller(sandbox.app)
})
afterAll(async () => {
  await sandbox?.stop()
  await solana?.stop()
})

type Guards = { before: readonly TransactionInstruction[]; after: readonly TransactionInstruction[] }

/** Returns a Wallet Standard wallet that adds assertions after the compute budget and at the end, and signs. */
function guardingWallet(person: startSolana.TestAccount, { before, after }: Guards) {
  const key = Keypair.fromSecretKey(person.secretKey)
  return {
    account: { address: person.address },
    features: {
      'solana:signTransaction': {
        signTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
          const message = TransactionMessage.decompile(VersionedTransaction.deserialize(transaction).message)
          message.instructions.splice(2, 0, ...before)
          message.instructions.push(...after)
          const signed = new VersionedTransaction(message.compileToV0Message())
          signed.sign([key])
          return [{ signedTransaction: signed.serialize() }]
        },
      },
    },
  }
}

function accounts() {
  const from = solana.createTestAccount({ usdc: 25_000_000n })
  const to = solana.createTestAccount({ usdc: 1n })
  const owner = new PublicKey(from.address)
  const source = new PublicKey(tokenAccountOf({ owner: from.address, mint: solana.usdcMint }))
  return { from, to, owner, source }
}
async function prepare({ from, to }: ReturnType<typeof accounts>) {
  const { status, body } = await service.post(
    '/sandbox/usdc-transfer',
    { blockchain: 'solana', destination: to.address, amount: { cents: 150 } },
    customer(from.address, 'solana'),
  )
  expect({ status, body }).toMatchObject({ status: 200 })
  return { id: String(body.id), transaction: String(body.transaction) }
}
const submit = ({ from }: ReturnType<typeof accounts>, body: { id: string; transaction: string }) =>
  service.post('/sandbox/usdc-transfer/submit', body, customer(from.address, 'solana'))

/** Signs like a page that does not check the wallet's response. */
async function signedBlindly(
  wallet: ReturnType<typeof guardingWallet>,
  transaction: string,
): Promise<string> {
  const { signTransaction } = wallet.features['solana:signTransaction']
  const [signed] = await signTransaction({ transaction: Buffer.from(transaction, 'base64') })
  return Buffer.from(signed?.signedTransaction ?? []).toString('base64')
}

describe('a wallet that adds assertions', () => {
  test('pays, with two before the transfer and one after', async () => {
    const p = accounts()
    const wallet = guardingWallet(p.from, {
      before: [
        tokenGuard(p.source, 25_000_000n, 'equal'),
        lamportsGuard(p.owner, { lamports: 0n, operator: 'equal', program: 0 }),
      ],
      after: [tokenGuard(p.source, 23_500_000n, 'equal')],
    })
    const prepared = await prepare(p)
    const { transaction } = await signUsdcTransfer(wallet, {
      transaction: prepared.transaction,
      expected: { environment: 'sandbox', from: p.from.address, to: p.to.address, amount: 1_500_000n },
    })
    const settled = await submit(p, { ...prepared, transaction })
    expect(settled).toMatchObject({ status: 200 })
    expect(solana.usdcOf(p.to.address)).toBe(1_500_001n)
    const included = solana.ledger.transactions.get(String(settled.body.hash))
    expect(included?.logs.filter((line) => line.endsWith(`${lighthouse} success`))).toHaveLength(3)
    // A repeated submit, as after a lost response, does not pay twice.
    expect((await submit(p, { ...prepared, transaction })).body).toEqual(settled.body)
    expect(solana.usdcOf(p.to.address)).toBe(1_500_001n)
  })

  test.each([
    ['a closed memory account', (source: PublicKey) => [memoryClose(source)]],
    [
      'a fifth assertion',
      (source: PublicKey) => [1n, 2n, 3n, 4n, 5n].map((amount) => tokenGuard(source, amount, 'atLeast')),
    ],
  ])('is refused by the sponsor with %s', async (_, guards) => {
    const p = accounts()
    const prepared = await prepare(p)
    const wallet = guardingWallet(p.from, { before: guards(p.source), after: [] })
    const transaction = await signedBlindly(wallet, prepared.transaction)
    expect(await submit(p, { ...prepared, transaction })).toMatchObject({
      status: 409,
      body: { code: 'INTENT_MISMATCH' },
    })
    expect(solana.usdcOf(p.from.address)).toBe(25_000_000n)
  })

  test('is refused if it changes anything else', async () => {
    const p = accounts()
    const [prepared, other] = [await prepare(p), await prepare(p)]
    // The transaction is valid, but is not the one prepared under this ID.
    const guards = { before: [], after: [tokenGuard(p.source, 1n, 'atLeast')] }
    const transaction = await signedBlindly(guardingWallet(p.from, guards), other.transaction)
    expect(await submit(p, { ...prepared, transaction })).toMatchObject({
      status: 409,
      body: { code: 'INTENT_MISMATCH' },
    })
  })
})
