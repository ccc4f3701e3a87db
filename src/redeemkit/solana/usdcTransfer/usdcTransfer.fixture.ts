import * as token from '@solana/spl-token'
import {
  type AddressLookupTableAccount,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { parseBase64 } from '../../core/base64.ts'
import { formatBase58 } from '../encoding.ts'
import { inspectRequest } from '../inspect/inspectRequest.ts'
import { blockhash, customer, merchant, mint, sponsor, usdcAccountOf } from '../solana.fixture.ts'
import { encodeLength, type ParsedTransaction } from '../transaction/parseTransaction.ts'
import { usdcTransfer } from './usdcTransfer.ts'

export const from = customer.publicKey
export const to = merchant.publicKey
export const wallet = from.toBase58()
export const amount = 1_500_000n

/** The expected payment without a payment ID. */
export const base = { environment: 'sandbox', from, to, amount, sponsor: sponsor.publicKey } as const
/** The same payment with a payment ID, as `usdcTransfer` builds it. */
export const transfer = usdcTransfer({ ...base, paymentId: 'pay_1', blockhash, lastValidBlockHeight: 100 })
export const bytes = parseBase64(transfer.transaction, 'transaction')

/** `transfer` with both signatures. */
export const signed = VersionedTransaction.deserialize(bytes)
signed.sign([sponsor, customer])
/** The sponsor's signature, which is the transaction's id on chain. */
export const signature = formatBase58(signed.signatures[0] ?? new Uint8Array())

export const inspectAsTransfer = (transaction: Uint8Array | string) =>
  inspectRequest({ transaction, wallet, expected: transfer })
export const codesOf = ({ findings }: Pick<ReturnType<typeof inspectRequest>, 'findings'>) =>
  findings.map(({ code }) => code)

/** Creates spl-token's payment instruction with one field replaced. */
export function pay(
  change: Partial<{
    source: PublicKey
    mint: PublicKey
    to: PublicKey
    owner: PublicKey
    amount: bigint
    decimals: number
    program: PublicKey
  }> = {},
): TransactionInstruction {
  return token.createTransferCheckedInstruction(
    change.source ?? usdcAccountOf(from),
    change.mint ?? mint,
    change.to ?? usdcAccountOf(to),
    change.owner ?? from,
    change.amount ?? amount,
    change.decimals ?? 6,
    [],
    change.program,
  )
}

export type Build = {
  extra?: TransactionInstruction[]
  main?: TransactionInstruction
  payer?: PublicKey
  tables?: AddressLookupTableAccount[]
}

/** Builds the transaction with web3.js and spl-token, and with extra instructions that a service added. */
export function build(options: Build = {}): VersionedTransaction {
  const { extra = [], main = pay(), payer = sponsor.publicKey, tables } = options
  return new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer,
      recentBlockhash: blockhash,
      instructions: [
        token.createAssociatedTokenAccountIdempotentInstruction(payer, usdcAccountOf(to), to, mint),
        main,
        ...extra,
      ],
    }).compileToV0Message(tables),
  )
}

export function rebuild(parsed: ParsedTransaction): Uint8Array {
  const key = (text: string) => [...new PublicKey(text).toBytes()]
  return Uint8Array.from([
    ...encodeLength(parsed.signatures.length),
    ...parsed.signatures.flatMap((signature) => [...signature]),
    128,
    parsed.signers,
    parsed.readonlySigners,
    parsed.readonlyOthers,
    ...encodeLength(parsed.keys.length),
    ...parsed.keys.flatMap(key),
    ...key(parsed.blockhash),
    ...encodeLength(parsed.instructions.length),
    ...parsed.instructions.flatMap(({ program, accounts, data }) => [
      program,
      ...encodeLength(accounts.length),
      ...accounts,
      ...encodeLength(data.length),
      ...data,
    ]),
    0,
  ])
}
