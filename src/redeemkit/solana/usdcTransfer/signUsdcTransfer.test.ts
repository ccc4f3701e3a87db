import { runInNewContext } from 'node:vm'
import { createApproveInstruction } from '@solana/spl-token'
import { Transaction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, test, vi } from 'vitest'
import { formatBase64 } from '../../core/base64.ts'
import type { SolanaSigner } from '../signer/solanaSigner.ts'
import { toTransactionSigner } from '../signer/toTransactionSigner.ts'
import { customer, sponsor, stranger, usdcAccountOf } from '../solana.fixture.ts'
import { signUsdcTransfer, sponsorUsdcTransfer } from './signUsdcTransfer.ts'
import { base, build, bytes, from, pay, signed, transfer } from './usdcTransfer.fixture.ts'

function signBytes(transaction: Uint8Array, by = customer): Uint8Array {
  const read = VersionedTransaction.deserialize(transaction)
  read.sign([by])
  return read.serialize()
}
const options = { transaction: transfer.transaction, expected: transfer }
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'))
const prompted = vi.fn()
const standard = (sign: (bytes: Uint8Array) => Uint8Array): SolanaSigner => ({
  account: { address: customer.publicKey.toBase58() },
  features: {
    'solana:signTransaction': {
      signTransaction: async (input) => {
        prompted(input)
        return [{ signedTransaction: sign(input.transaction) }]
      },
    },
  },
})
// A wallet adapter as web3.js declares it: generic in its transaction type.
const adapter = (answer?: () => Promise<never>): SolanaSigner => ({
  publicKey: customer.publicKey,
  signTransaction: async <transaction extends Transaction | VersionedTransaction>(asked: transaction) => {
    if (answer !== undefined) return answer()
    if (asked instanceof VersionedTransaction) asked.sign([customer])
    return asked
  },
})

/** Changes the amount of a transaction that will be signed. */
function mutate(asked: Uint8Array): Uint8Array {
  asked[asked.length - 3] = (asked[asked.length - 3] ?? 0) ^ 1
  return asked
}

describe('signUsdcTransfer', () => {
  test.each([
    ['a keypair', customer],
    ['a wallet adapter', adapter()],
    ['a Wallet Standard wallet', standard((bytes) => signBytes(bytes))],
  ])('signs with %s', async (_kind, signer) => {
    const expected = Buffer.from(signBytes(bytes)).toString('base64')
    expect(await signUsdcTransfer(signer, options)).toEqual({ transaction: expected })
  })

  test('passes the network to a wallet that requires it', async () => {
    prompted.mockClear()
    await signUsdcTransfer(
      standard((asked) => signBytes(asked)),
      options,
    )
    expect(prompted).toHaveBeenCalledWith(expect.objectContaining({ chain: 'solana:devnet' }))
  })

  test('compares bytes of a `Buffer` too', async () => {
    const { signTransaction } = toTransactionSigner(customer)
    expect(await signTransaction?.(Buffer.from(bytes))).toEqual(await signTransaction?.(bytes))
  })

  test('accepts a web3.js object, and keeps its signatures', async () => {
    const first = VersionedTransaction.deserialize(bytes)
    first.sign([sponsor])
    const { transaction } = await signUsdcTransfer(customer, { transaction: first, expected: transfer })
    const both = VersionedTransaction.deserialize(bytesOf(transaction))
    expect(both.signatures[0]).toEqual(first.signatures[0])
    expect(both.signatures.every((signature) => signature.some((byte) => byte !== 0))).toBe(true)
  })

  const approval = createApproveInstruction(usdcAccountOf(from), stranger.publicKey, from, 1n)
  const withApproval = TransactionMessage.decompile(VersionedTransaction.deserialize(bytes).message)
  withApproval.instructions.push(approval)
  test.each([
    [
      'another instruction',
      { transaction: new VersionedTransaction(withApproval.compileToV0Message()) },
      'DelegateApprovalError',
    ],
    ['another amount', { expected: { ...transfer, amount: 1n } }, 'WrongAmountError'],
  ])('does not prompt for %s', async (_label, change, name) => {
    prompted.mockClear()
    const signer = standard((asked) => signBytes(asked))
    await expect(signUsdcTransfer(signer, { ...options, ...change })).rejects.toMatchObject({ name })
    expect(prompted).not.toHaveBeenCalled()
  })

  test('does not sign for another account', async () => {
    await expect(signUsdcTransfer(stranger, options)).rejects.toMatchObject({ name: 'WrongSignerError' })
  })

  test('signs the inspected bytes, even if the object changes afterwards', async () => {
    let reads = 0
    const shifting = {
      serialize: () => {
        reads++
        return reads === 1 ? bytes : new Uint8Array(3)
      },
    }
    await expect(
      signUsdcTransfer(customer, { transaction: shifting, expected: transfer }),
    ).resolves.toBeDefined()
    expect(reads).toBe(1)
  })

  test.each([
    ['changed the transaction', (asked: Uint8Array) => signBytes(mutate(Uint8Array.from(asked)))],
    ['changed it in the given array', (asked: Uint8Array) => signBytes(mutate(asked))],
  ])('refuses the answer of a wallet that %s', async (_what, sign) => {
    await expect(signUsdcTransfer(standard(sign), options)).rejects.toMatchObject({
      name: 'ChangedByWalletError',
    })
  })

  test.each([
    ['a missing signature', (asked: Uint8Array) => asked],
    [
      'a signature that no key made',
      (asked: Uint8Array) => {
        const forged = Uint8Array.from(asked)
        forged.set(crypto.getRandomValues(new Uint8Array(64)), 65)
        return forged
      },
    ],
  ])('refuses %s', async (_what, sign) => {
    await expect(signUsdcTransfer(standard(sign), options)).rejects.toMatchObject({
      name: 'WrongSignatureError',
    })
  })

  // The user was prompted, so the wallet failed; the transaction was fine.
  test.each([new Uint8Array(), bytes.slice(0, 100), undefined, null, 7])(
    'throws WalletFailedError if a Wallet Standard wallet returns no transaction (%#)',
    async (answer) => {
      const signer = standard(() => answer as never)
      await expect(signUsdcTransfer(signer, options)).rejects.toMatchObject({ name: 'WalletFailedError' })
    },
  )

  test.each([undefined, null, 7, 'x', {}])(
    'throws WalletFailedError if a wallet adapter returns no transaction: %j',
    async (answer) => {
      const signer = adapter(() => Promise.resolve(answer as never))
      await expect(signUsdcTransfer(signer, options)).rejects.toMatchObject({ name: 'WalletFailedError' })
    },
  )

  test('accepts the legacy object that some wallets return', async () => {
    const legacy = new Transaction({
      feePayer: sponsor.publicKey,
      blockhash: transfer.blockhash,
      lastValidBlockHeight: 1,
    }).add(pay())
    const signer: SolanaSigner = {
      publicKey: from,
      signTransaction: async <transaction extends Transaction | VersionedTransaction>(asked: transaction) => {
        const answer = Transaction.from(asked.serialize())
        answer.partialSign(customer)
        return answer
      },
    }
    const { transaction } = await signUsdcTransfer(signer, { transaction: legacy, expected: base })
    expect(VersionedTransaction.deserialize(bytesOf(transaction)).signatures).toHaveLength(2)
  })

  test('accepts bytes from another window, in requests and answers', async () => {
    const foreign = runInNewContext('(bytes) => Uint8Array.from(bytes)')
    const other = standard((asked) => foreign(signBytes(asked)))
    expect(await signUsdcTransfer(other, { ...options, transaction: foreign(bytes) })).toEqual(
      await signUsdcTransfer(customer, options),
    )
  })

  const { transaction } = options
  test.each([
    ['options', undefined],
    ['options', null],
    ['expected', { transaction }],
    ['expected', { transaction, expected: null }],
    ['references', { transaction, expected: { ...transfer, references: 'x' } }],
    ['lookupTables', { transaction, expected: transfer, lookupTables: null }],
  ])('rejects invalid %s before any prompt: %o', async (field, given) => {
    prompted.mockClear()
    const signer = standard((asked) => signBytes(asked))
    await expect(signUsdcTransfer(signer, given as never)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field,
    })
    expect(prompted).not.toHaveBeenCalled()
  })

  const refuse = (error: unknown) =>
    signUsdcTransfer(
      adapter(() => Promise.reject(error)),
      options,
    )
  test.each([
    { code: 4001, message: 'nope' },
    { code: 5000, message: '' },
    { code: -32603, message: 'Internal error', data: { originalError: { code: 4001 } } },
    { code: -32603, message: '', cause: { code: 4001 } },
    {
      statusCode: 0x6985,
      message: 'Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)',
    },
    new Error('User rejected the request.'),
    new Error('User closed the window'),
    new Error('User aborted'),
    new Error('User disapproved requested methods'),
    new Error('The user has cancelled'),
    new Error('Approval Denied'),
    new Error('Request rejected by user'),
    Object.assign(new Error(''), { error: new Error('Transaction cancelled') }),
    new Error('outer', { cause: { code: 4001 } }),
    'User declined.',
  ])('recognizes a rejection by the user: %s', async (no) => {
    await expect(refuse(no)).rejects.toMatchObject({ name: 'UserRejectedError' })
  })

  test.each([
    new Error('Wallet is locked'),
    new Error('Blockhash rejected by RPC'),
    new Error('Blockhash rejected'),
    new Error('Request denied: wallet is not authorized for this origin'),
    new Error('fetch cancelled: timeout'),
    { code: -32603, message: 'Transaction simulation rejected' },
    { code: -32603, message: 'User rejected' },
    { code: 4100, message: 'User denied' },
    'text',
    undefined,
    7,
    Symbol('x'),
    Object.create(null),
    { code: Symbol('x'), message: Object.create(null) },
  ])('recognizes the failure of a wallet (%#)', async (failure) => {
    await expect(refuse(failure)).rejects.toMatchObject({ name: 'WalletFailedError' })
  })

  test.each([
    ['has an account', { publicKey: null }],
    ['can sign transactions', { publicKey: from }],
  ])('needs a wallet that %s', async (_label, signer) => {
    await expect(signUsdcTransfer(signer, options)).rejects.toMatchObject({ name: 'WrongSignerError' })
  })
})

describe('sponsorUsdcTransfer', () => {
  const half = VersionedTransaction.deserialize(bytes)
  half.sign([customer])
  const byCustomer = half.serialize()
  const sign = (change: object = {}, signer = sponsor) =>
    sponsorUsdcTransfer(signer, { transaction: byCustomer, expected: { ...transfer, ...change } })

  test("adds the fee payer's signature to the customer's", async () => {
    expect(await sign()).toMatchObject({ transaction: formatBase64(signed.serialize()) })
  })

  test("signs nothing without the customer's signature", async () => {
    await expect(
      sponsorUsdcTransfer(sponsor, { transaction: bytes, expected: transfer }),
    ).rejects.toMatchObject({ name: 'WrongSignatureError' })
  })

  test("signs nothing if any byte of the customer's signature is changed", async () => {
    for (let at = 65; at < 129; at++) {
      const changed = Uint8Array.from(byCustomer)
      changed[at] = (changed[at] ?? 0) ^ 1
      await expect(
        sponsorUsdcTransfer(sponsor, { transaction: changed, expected: transfer }),
      ).rejects.toMatchObject({ name: 'WrongSignatureError' })
    }
  })

  test.each([
    [{ amount: 1n }, 'WrongAmountError'],
    [{ paymentId: 'pay_2' }, 'WrongMemoError'],
    [{ maxFeeLamports: 10n }, 'FeeTooHighError'],
    [{ environment: 'prod' }, 'WrongNetworkError'],
  ])('does not sign another transfer: %o', async (change, name) => {
    await expect(sign(change)).rejects.toMatchObject({ name })
  })

  test('signs only as the sponsor', async () => {
    await expect(sign({}, stranger)).rejects.toMatchObject({ name: 'WrongSignerError' })
  })

  test('signs only for the expected sponsor', async () => {
    await expect(sign({ sponsor: stranger.publicKey }, stranger)).rejects.toMatchObject({
      name: 'WrongFeePayerError',
    })
  })

  test.each(['first', 'last'] as const)(
    "never pays with the sponsor's own USDC, even if a request names the sponsor as the customer; the sponsor signs %s",
    async (sponsorSigns) => {
      const own = sponsor.publicKey
      const transaction = build({ main: pay({ source: usdcAccountOf(own), owner: own }) })
      if (sponsorSigns === 'last') transaction.sign([sponsor])
      const expected = { ...base, from: own, maxRentLamports: 2_039_280n }
      await expect(
        sponsorUsdcTransfer(sponsor, { transaction, expected, sponsorSigns }),
      ).rejects.toMatchObject({ name: 'InvalidAddressError', field: 'from' })
    },
  )

  test.each([
    ['options', undefined],
    ['options', null],
    ['expected', { transaction: byCustomer }],
    ['expected', { transaction: byCustomer, expected: null }],
  ])('rejects invalid %s before any prompt: %o', async (field, given) => {
    const signTransaction = vi.fn()
    const signer = { publicKey: sponsor.publicKey, signTransaction }
    await expect(sponsorUsdcTransfer(signer, given as never)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field,
    })
    expect(signTransaction).not.toHaveBeenCalled()
  })
})
