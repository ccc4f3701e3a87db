import { runInNewContext } from 'node:vm'
import {
  createApproveInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import { Keypair, PublicKey, Transaction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, test, vi } from 'vitest'
import { formatBase58 } from '../encoding/formatBase58.ts'
import { networkOf } from '../networks.ts'
import type { SolanaSigner } from '../signer/solanaSigner.ts'
import { toSigner } from '../signer/toSigner.ts'
import { signUsdcTransfer } from './signUsdcTransfer.ts'
import { sponsorUsdcTransfer } from './sponsorUsdcTransfer.ts'
import { usdcTransfer } from './usdcTransfer.ts'

const keypair = (seed: number) => Keypair.fromSeed(new Uint8Array(32).fill(seed))
const [customer, merchant, sponsor, stranger] = [keypair(1), keypair(2), keypair(3), keypair(4)]
const base = {
  environment: 'sandbox',
  from: customer.publicKey,
  to: merchant.publicKey,
  sponsor: sponsor.publicKey,
  amount: 1_500_000n,
} as const
const transfer = usdcTransfer({
  ...base,
  paymentId: 'pay_1',
  blockhash: formatBase58(new Uint8Array(32).fill(9)),
  lastValidBlockHeight: 100,
})
const options = { transaction: transfer.transaction, expected: transfer }
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'))

function signBytes(transaction: Uint8Array, by = customer): Uint8Array {
  const read = VersionedTransaction.deserialize(transaction)
  read.sign([by])
  return read.serialize()
}
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
// A wallet adapter as web3.js people write one: generic in its transaction type.
const adapter = (answer?: () => Promise<never>): SolanaSigner => ({
  publicKey: customer.publicKey,
  signTransaction: async <transaction extends Transaction | VersionedTransaction>(asked: transaction) => {
    if (answer !== undefined) return answer()
    if (asked instanceof VersionedTransaction) asked.sign([customer])
    return asked
  },
})

describe('signUsdcTransfer', () => {
  test('signs alike with a keypair, a wallet adapter and a Wallet Standard wallet', async () => {
    const expected = Buffer.from(signBytes(bytesOf(transfer.transaction))).toString('base64')
    for (const signer of [customer, adapter(), standard((bytes) => signBytes(bytes))])
      expect(await signUsdcTransfer(signer, options)).toEqual({ transaction: expected })
    expect(prompted).toHaveBeenCalledWith(expect.objectContaining({ chain: 'solana:devnet' }))
  })

  test('compares bytes, also where the array writes itself as text', async () => {
    const { signTransaction } = toSigner(customer)
    const bytes = bytesOf(transfer.transaction)
    expect(await signTransaction?.(Buffer.from(bytes))).toEqual(await signTransaction?.(bytes))
  })

  test('takes web3.js objects, and keeps a signature that is there', async () => {
    const first = VersionedTransaction.deserialize(bytesOf(transfer.transaction))
    first.sign([sponsor])
    const { transaction } = await signUsdcTransfer(customer, { transaction: first, expected: transfer })
    const both = VersionedTransaction.deserialize(bytesOf(transaction))
    expect(both.signatures[0]).toEqual(first.signatures[0])
    expect(both.signatures.every((signature) => signature.some((byte) => byte !== 0))).toBe(true)
  })

  test('does not ask for a signature of what was not asked for', async () => {
    prompted.mockClear()
    const mint = new PublicKey(networkOf('sandbox').usdcMint)
    const message = TransactionMessage.decompile(
      VersionedTransaction.deserialize(bytesOf(transfer.transaction)).message,
    )
    message.instructions.push(
      createApproveInstruction(
        getAssociatedTokenAddressSync(mint, customer.publicKey),
        stranger.publicKey,
        customer.publicKey,
        1n,
      ),
    )
    const evil = new VersionedTransaction(message.compileToV0Message())
    const wallet = standard((bytes) => signBytes(bytes))
    await expect(signUsdcTransfer(wallet, { transaction: evil, expected: transfer })).rejects.toMatchObject({
      name: 'DelegateApprovalError',
    })
    await expect(
      signUsdcTransfer(wallet, { ...options, expected: { ...transfer, amount: 1n } }),
    ).rejects.toMatchObject({ name: 'WrongAmountError' })
    await expect(signUsdcTransfer(stranger, options)).rejects.toMatchObject({ name: 'WrongSignerError' })
    expect(prompted).not.toHaveBeenCalled()
  })

  test('signs what it inspected, even when the object changes afterwards', async () => {
    const bytes = bytesOf(transfer.transaction)
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

  test('refuses what a wallet changed, and signatures of others', async () => {
    const changing = standard((bytes) => {
      const changed = Uint8Array.from(bytes)
      changed[changed.length - 3] = (changed[changed.length - 3] ?? 0) ^ 1
      return signBytes(changed)
    })
    await expect(signUsdcTransfer(changing, options)).rejects.toMatchObject({ name: 'ChangedByWalletError' })
    const lazy = standard((bytes) => bytes)
    await expect(signUsdcTransfer(lazy, options)).rejects.toMatchObject({ name: 'WrongSignatureError' })
    const forged = standard((bytes) => {
      const changed = Uint8Array.from(bytes)
      changed.set(crypto.getRandomValues(new Uint8Array(64)), 65)
      return changed
    })
    await expect(signUsdcTransfer(forged, options)).rejects.toMatchObject({ name: 'WrongSignatureError' })
    // The user was asked, so it is the wallet's failure and not that of the transaction.
    for (const answer of [new Uint8Array(), bytesOf(transfer.transaction).slice(0, 100), undefined, null, 7])
      await expect(
        signUsdcTransfer(
          standard(() => answer as never),
          options,
        ),
      ).rejects.toMatchObject({ name: 'WalletFailedError' })
    for (const answer of [undefined, null, 7, 'x', {}])
      await expect(
        signUsdcTransfer(
          adapter(() => Promise.resolve(answer as never)),
          options,
        ),
      ).rejects.toMatchObject({ name: 'WalletFailedError' })
  })

  test('takes the legacy object that some wallets answer with, and bytes of another window', async () => {
    const mint = new PublicKey(networkOf('sandbox').usdcMint)
    const [source, destination] = [base.from, base.to].map((owner) =>
      getAssociatedTokenAddressSync(mint, owner),
    )
    if (source === undefined || destination === undefined) throw new Error('unreachable')
    const legacy = new Transaction({
      feePayer: base.sponsor,
      blockhash: transfer.blockhash,
      lastValidBlockHeight: 1,
    }).add(createTransferCheckedInstruction(source, mint, destination, base.from, base.amount, 6))
    const wallet: SolanaSigner = {
      publicKey: customer.publicKey,
      signTransaction: async <transaction extends Transaction | VersionedTransaction>(asked: transaction) => {
        const answer = Transaction.from(asked.serialize())
        answer.partialSign(customer)
        return answer
      },
    }
    const { transaction } = await signUsdcTransfer(wallet, { transaction: legacy, expected: base })
    expect(VersionedTransaction.deserialize(bytesOf(transaction)).signatures).toHaveLength(2)
    const foreign = runInNewContext('(bytes) => Uint8Array.from(bytes)')
    const other = standard((bytes) => foreign(signBytes(bytes)))
    expect(
      await signUsdcTransfer(other, { ...options, transaction: foreign(bytesOf(transfer.transaction)) }),
    ).toEqual(await signUsdcTransfer(customer, options))
  })

  test('checks against what it gave, also when the wallet writes into it', async () => {
    const inPlace = standard((bytes) => {
      bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1
      return signBytes(bytes)
    })
    await expect(signUsdcTransfer(inPlace, options)).rejects.toMatchObject({ name: 'ChangedByWalletError' })
  })

  test('names what is no options at all, before any prompt', async () => {
    prompted.mockClear()
    const wallet = standard((bytes) => signBytes(bytes))
    const { transaction } = options
    for (const [given, field] of [
      [undefined, 'options'],
      [null, 'options'],
      [{ transaction }, 'expected'],
      [{ transaction, expected: null }, 'expected'],
      [{ transaction, expected: { ...transfer, references: 'x' } }, 'references'],
      [{ transaction, expected: transfer, lookupTables: null }, 'lookupTables'],
    ] as const)
      for (const sign of [signUsdcTransfer, sponsorUsdcTransfer])
        if (sign === signUsdcTransfer || field === 'options' || field === 'expected')
          await expect(sign(wallet, given as never)).rejects.toMatchObject({
            name: 'InvalidOptionError',
            field,
          })
    expect(prompted).not.toHaveBeenCalled()
  })

  test("tells a user's no from a wallet that fails", async () => {
    const refuse = (error: unknown) =>
      signUsdcTransfer(
        adapter(() => Promise.reject(error)),
        options,
      )
    for (const no of [
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
    ])
      await expect(refuse(no), String(no)).rejects.toMatchObject({ name: 'UserRejectedError' })
    for (const failure of [
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
    ])
      await expect(refuse(failure)).rejects.toMatchObject({ name: 'WalletFailedError' })
  })

  test('needs a wallet that has an account and can sign transactions', async () => {
    await expect(signUsdcTransfer({ publicKey: null }, options)).rejects.toMatchObject({
      name: 'WrongSignerError',
    })
    await expect(signUsdcTransfer({ publicKey: customer.publicKey }, options)).rejects.toMatchObject({
      name: 'WrongSignerError',
    })
  })
})

describe('sponsorUsdcTransfer', () => {
  test('adds the fee payer to what the customer signed', async () => {
    const { transaction } = await signUsdcTransfer(customer, options)
    const whole = await sponsorUsdcTransfer(sponsor, { transaction, expected: transfer })
    const read = VersionedTransaction.deserialize(bytesOf(whole.transaction))
    const check = VersionedTransaction.deserialize(bytesOf(transfer.transaction))
    check.sign([sponsor, customer])
    expect(read.signatures).toEqual(check.signatures)
  })

  test("signs nothing without the customer's own signature", async () => {
    await expect(sponsorUsdcTransfer(sponsor, options)).rejects.toMatchObject({ name: 'WrongSignatureError' })
    const { transaction } = await signUsdcTransfer(customer, options)
    const bytes = bytesOf(transaction)
    for (let at = 65; at < 129; at++) {
      const changed = Uint8Array.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await expect(
        sponsorUsdcTransfer(sponsor, { transaction: changed, expected: transfer }),
      ).rejects.toMatchObject({
        name: 'WrongSignatureError',
      })
    }
  })

  test('signs nothing else, and not as somebody else', async () => {
    const { transaction } = await signUsdcTransfer(customer, options)
    const sign = (change: object, signer = sponsor) =>
      sponsorUsdcTransfer(signer, { transaction, expected: { ...transfer, ...change } })
    await expect(sign({ amount: 1n })).rejects.toMatchObject({ name: 'WrongAmountError' })
    await expect(sign({ paymentId: 'pay_2' })).rejects.toMatchObject({ name: 'WrongMemoError' })
    await expect(sign({ maxFeeLamports: 10n })).rejects.toMatchObject({ name: 'FeeTooHighError' })
    await expect(sign({ environment: 'prod' })).rejects.toMatchObject({ name: 'WrongNetworkError' })
    await expect(sign({}, stranger)).rejects.toMatchObject({ name: 'WrongSignerError' })
    await expect(sign({ sponsor: stranger.publicKey }, stranger)).rejects.toMatchObject({
      name: 'WrongFeePayerError',
    })
  })
})
