import { createTransfer, findReference, validateTransfer } from '@solana/pay'
import { createTransferCheckedInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Connection, PublicKey, Transaction } from '@solana/web3.js'
import BigNumber from 'bignumber.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  confirmUsdcTransfer,
  inspect,
  prepareUsdcTransfer,
  signUsdcTransfer,
  sponsorUsdcTransfer,
  submitUsdcTransfer,
} from '../../src/redeemkit/solana/index.ts'
import { startSolana } from '../../src/sandbox/chains/solana/startSolana.ts'

/** Solana Pay's own library is on one side, and redeemkit on the other. */

let chain: startSolana.ReturnType
let connection: Connection
const environment = 'sandbox'

beforeAll(async () => {
  chain = await startSolana()
  connection = new Connection(chain.rpcUrl, { commitment: 'confirmed', wsEndpoint: chain.wsUrl })
})
afterAll(() => chain.stop())

function accounts() {
  const [customer, shop, sponsor] = [
    chain.createTestAccount({ usdc: 50_000_000n, sol: 1_000_000_000n }),
    chain.createTestAccount({ usdc: 1n, sol: 1_000_000_000n }),
    chain.createTestAccount({ sol: 10_000_000_000n }),
  ]
  const reference = new PublicKey(chain.createTestAccount({}).address)
  const request = {
    recipient: new PublicKey(shop.address),
    amount: new BigNumber(1.5),
    splToken: new PublicKey(chain.usdcMint),
    reference,
    memo: 'pay_1',
  }
  const expected = {
    environment,
    from: customer.address,
    to: shop.address,
    amount: 1_500_000n,
    sponsor: sponsor.address,
    paymentId: 'pay_1',
    references: [reference],
  } as const
  return { customer, shop, sponsor, reference, request, expected }
}
async function build(p: ReturnType<typeof accounts>, payer = p.sponsor.address) {
  const transaction = await createTransfer(connection, new PublicKey(p.customer.address), p.request)
  const { blockhash } = await connection.getLatestBlockhash()
  transaction.feePayer = new PublicKey(payer)
  transaction.recentBlockhash = blockhash
  return transaction
}
const codes = (p: ReturnType<typeof accounts>, transaction: Transaction, change: object = {}) =>
  inspect(
    { transaction },
    { address: p.customer.address, expected: { ...p.expected, ...change } },
  ).findings.map(({ code }) => code)

describe('a transfer that Solana Pay built', () => {
  test('is signed, sponsored and sent, and Solana Pay recognizes it', async () => {
    const p = accounts()
    const transaction = await build(p)
    expect(codes(p, transaction)).toEqual([])
    const signed = await signUsdcTransfer(p.customer, { transaction, expected: p.expected })
    const whole = await sponsorUsdcTransfer(p.sponsor, { ...signed, expected: p.expected })
    const { signature } = await submitUsdcTransfer(connection, whole)
    const found = await findReference(connection, p.reference, { finality: 'confirmed' })
    expect(found.signature).toBe(signature)
    const { request } = p
    await expect(
      validateTransfer(connection, signature, request, { commitment: 'confirmed' }),
    ).resolves.toBeDefined()
    expect(chain.usdcOf(p.shop.address)).toBe(1_500_001n)
  })
  test('is refused with a changed field, an extra instruction, or without its reference', async () => {
    const p = accounts()
    const { customer, request } = p
    for (const [change, code] of [
      [{ recipient: new PublicKey(accounts().shop.address) }, 'WRONG_DESTINATION'],
      [{ amount: new BigNumber(1.500001) }, 'WRONG_AMOUNT'],
      [{ memo: 'pay_2' }, 'WRONG_MEMO'],
      [{ reference: new PublicKey(p.sponsor.address) }, 'REFERENCE_MISSING'],
    ] as const) {
      const other = { ...p, request: { ...request, ...change } }
      expect(codes(p, await build(other))).toContain(code)
    }
    const more = await build(p)
    const owner = new PublicKey(customer.address)
    const source = getAssociatedTokenAddressSync(request.splToken, owner)
    more.add(createTransferCheckedInstruction(source, request.splToken, source, owner, 1n, 6))
    expect(codes(p, more)).toEqual(['EXTRA_TRANSFER'])
    expect(codes(p, await build(p), { references: [] })).toEqual(['UNEXPECTED_ACCOUNT'])
  })
  test('whose fee the customer pays is signed only if expected', async () => {
    const p = accounts()
    const transaction = await build(p, p.customer.address)
    const { sponsor: _, ...silent } = p.expected
    expect(codes(p, transaction)).toEqual(['CUSTOMER_PAYS_FEE', 'WRONG_FEE_PAYER'])
    expect(codes(p, transaction, { sponsor: undefined })).toEqual(['CUSTOMER_PAYS_FEE'])
    const expected = { ...silent, sponsor: p.customer.address }
    const { transaction: signed } = await signUsdcTransfer(p.customer, { transaction, expected })
    const read = Transaction.from(Buffer.from(signed, 'base64'))
    expect(read.verifySignatures()).toBe(true)
    const signature = await connection.sendRawTransaction(read.serialize())
    await expect(
      validateTransfer(connection, signature, p.request, { commitment: 'confirmed' }),
    ).resolves.toBeDefined()
    // Even then, the sponsor pays for no token account of the receiver.
    const fresh = chain.createTestAccount({})
    const built = await prepareUsdcTransfer(connection, { ...p.expected, to: fresh.address })
    expect(
      codes(p, Transaction.from(Buffer.from(signed, 'base64')), { sponsor: p.sponsor.address }),
    ).toContain('WRONG_FEE_PAYER')
    expect(built.rent?.lamports).toBe('2039280')
  })
})

describe('a transfer that redeemkit built', () => {
  test('is found by Solana Pay through its reference', async () => {
    const p = accounts()
    const built = await prepareUsdcTransfer(connection, p.expected)
    const signed = await signUsdcTransfer(p.customer, { transaction: built.transaction, expected: built })
    const whole = await sponsorUsdcTransfer(p.sponsor, { ...signed, expected: built })
    const { signature } = await submitUsdcTransfer(connection, whole)
    await confirmUsdcTransfer(connection, { ...built, signature })
    const found = await findReference(connection, p.reference, { finality: 'confirmed' })
    expect(found.signature).toBe(signature)
  })
  test('in x402’s layout pays only a receiver with a token account', async () => {
    const p = accounts()
    const options = { ...p.expected, layout: 'x402' } as const
    const built = await prepareUsdcTransfer(connection, options)
    const signed = await signUsdcTransfer(p.customer, { transaction: built.transaction, expected: built })
    const whole = await sponsorUsdcTransfer(p.sponsor, { ...signed, expected: built })
    const { signature } = await submitUsdcTransfer(connection, whole)
    await confirmUsdcTransfer(connection, { ...built, signature })
    expect(chain.usdcOf(p.shop.address)).toBe(1_500_001n)
    await expect(
      prepareUsdcTransfer(connection, { ...options, to: chain.createTestAccount({}).address }),
    ).rejects.toMatchObject({ name: 'MissingTokenAccountError', field: 'to' })
  })
})
