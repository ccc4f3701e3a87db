import {
  type UserRejectedError,
  WalletFailedError,
  type WrongSignatureError,
  WrongSignerError,
} from '../../core/errors/walletErrors.ts'
import {
  encodeTransaction,
  isWritable,
  type ParsedTransaction,
  parseTransaction,
  readTransaction,
  type TransactionLike,
} from '../transaction/parseTransaction.ts'
import {
  isLighthouseAssertion,
  maxLighthouseAssertions,
  readInstruction,
} from '../transaction/readInstruction.ts'
import { transferLayouts } from '../transaction/transferLayouts.ts'
import {
  addressOf,
  askWallet,
  type ChangedByWalletError,
  changedByWallet,
  checkSignature,
  isKitSigner,
  type KeypairSigner,
  type KitSigner,
  type SolanaSigner,
  signWithKeypair,
  type WalletAdapterSigner,
  type WalletStandardSigner,
} from './solanaSigner.ts'

/** Creates a transaction signer from any supported wallet. It verifies that this address signed the same message. */
export function toTransactionSigner(
  signer: SolanaSigner,
  options: toTransactionSigner.Options = {},
): toTransactionSigner.ReturnType {
  const address = addressOf(signer)
  const ask = transactionCall(signer, address, options.chain)
  return { address, signTransaction: ask && ((bytes) => signChecked(address, bytes, ask, options.isSame)) }
}

export declare namespace toTransactionSigner {
  type Options = {
    /** The network that is passed to a Wallet Standard wallet. */
    chain?: `solana:${string}` | undefined
    /** Decides whether to accept a transaction that the wallet changed. Default: never. */
    isSame?: ((before: ParsedTransaction, after: ParsedTransaction) => boolean) | undefined
  }
  type ReturnType = {
    address: string
    /**
     * Returns the transaction, or the changed transaction if `isSame` accepts the change, with only this wallet's signature added.
     * `undefined` if the wallet cannot sign transactions.
     */
    signTransaction: ((transaction: Uint8Array) => Promise<Uint8Array>) | undefined
  }
  /** Errors that calling `signTransaction` can throw. */
  type SignErrorType =
    | UserRejectedError
    | WalletFailedError
    | ChangedByWalletError
    | WrongSignatureError
    | WrongSignerError
}

type TransactionCall = (transaction: Uint8Array) => Promise<TransactionLike | undefined>

/** Uses only this address's signature from the wallet's answer. */
async function signChecked(
  address: string,
  bytes: Uint8Array,
  ask: TransactionCall,
  isSame: toTransactionSigner.Options['isSame'],
): Promise<Uint8Array> {
  const before = parseTransaction(bytes)
  const signers = before.keys.slice(0, before.signers)
  const own = signers.indexOf(address)
  if (own < 0)
    throw new WrongSignerError(`The transaction does not need a signature from ${address}.`, {
      field: 'signer',
      fix: `Sign with one of ${signers.join(', ')}.`,
    })
  const after = readAnswer(await askWallet(ask(bytes)))
  const signatureOf = (place: number) => checkSignature(address, after.message, after.signatures[place])
  if (after.message.join() === before.message.join()) return withSignature(before, own, signatureOf(own))
  // A changed transaction would invalidate the other party's signature.
  const isFirst = before.signatures.every(
    (signature, index) => index === own || signature.every((byte) => byte === 0),
  )
  const place = after.keys.slice(0, after.signers).indexOf(address)
  if (!isFirst || place < 0 || isSame?.(before, after) !== true) throw changedByWallet()
  return withSignature(
    { ...after, signatures: after.signatures.map(() => new Uint8Array(64)) },
    place,
    signatureOf(place),
  )
}

function withSignature({ signatures, message }: ParsedTransaction, own: number, signature: Uint8Array) {
  return encodeTransaction({
    signatures: signatures.map((other, index) => (index === own ? signature : other)),
    message,
  })
}

function readAnswer(answer: TransactionLike = new Uint8Array()): ParsedTransaction {
  try {
    return readTransaction(answer)
  } catch (cause) {
    throw new WalletFailedError('The wallet’s answer is not a transaction.', {
      cause,
      fix: 'Update the wallet, or use another one.',
    })
  }
}

/** Returns a function that signs a transaction, if the signer can. The wallet gets a copy, because it may modify its input. */
function transactionCall(
  signer: SolanaSigner,
  address: string,
  chain: `solana:${string}` | undefined,
): TransactionCall | undefined {
  if ('account' in signer) return standardCall(signer, chain)
  if (isKitSigner(signer)) return kitCall(signer, address)
  return 'secretKey' in signer ? keypairCall(signer, address) : adapterCall(signer)
}

function standardCall(
  { account, features }: WalletStandardSigner,
  chain: `solana:${string}` | undefined,
): TransactionCall | undefined {
  const { 'solana:signTransaction': feature } = features
  return (
    feature &&
    (async (bytes) => {
      const [output] = await feature.signTransaction({
        // The wallet declares its own account type. This account object came from the wallet.
        account: account as never,
        transaction: Uint8Array.from(bytes),
        ...(chain && { chain }),
      })
      return output?.signedTransaction
    })
  )
}

function kitCall(signer: KitSigner, address: string): TransactionCall | undefined {
  if (!signer.signTransactions && !signer.modifyAndSignTransactions) return undefined
  return async (bytes) => {
    const parsed = parseTransaction(bytes)
    const { keys, signers, signatures, blockhash } = parsed
    const own = keys.indexOf(address)
    // Typed `never` so that kit's own types are assignable; the value is kit's `Transaction`.
    const transactions = [
      {
        messageBytes: Uint8Array.from(parsed.message),
        signatures: Object.fromEntries(
          keys.slice(0, signers).map((key, index) => {
            const signature = signatures[index] ?? new Uint8Array()
            return [key, signature.some((byte) => byte !== 0) ? Uint8Array.from(signature) : null]
          }),
        ),
        lifetimeConstraint: { blockhash, lastValidBlockHeight: (1n << 64n) - 1n },
      },
    ] as never
    if (signer.signTransactions)
      return withSignature(
        parsed,
        own,
        (await signer.signTransactions(transactions))[0]?.[address] ?? new Uint8Array(64),
      )
    return (await signer.modifyAndSignTransactions?.(transactions))?.[0]
  }
}

function keypairCall(keypair: KeypairSigner, address: string): TransactionCall {
  return async (bytes) => {
    const parsed = parseTransaction(bytes)
    return withSignature(parsed, parsed.keys.indexOf(address), signWithKeypair(keypair, parsed.message))
  }
}

function adapterCall(wallet: WalletAdapterSigner): TransactionCall | undefined {
  return (
    wallet.signTransaction &&
    (async (bytes) => {
      const { VersionedTransaction } = await import('@solana/web3.js')
      // Typed `never` so that every wallet's own parameter type is assignable; all of them accept this class.
      return wallet.signTransaction?.(VersionedTransaction.deserialize(bytes) as never)
    })
  )
}

/**
 * Whether a wallet added only Lighthouse assertions (see `isLighthouseAssertion`): the same fee payer, blockhash, version and lookup
 * tables; the same instructions in the same order, with the same data, accounts and roles; and no new account except read-only, non-signing
 * ones of the assertions. Accounts are compared by address, because their indexes may change.
 */
export function isSameButAssertions(before: ParsedTransaction, after: ParsedTransaction): boolean {
  const [was, is] = [rolesOf(before), rolesOf(after)]
  const wanted = namedInstructions(before)
  const read = new Set<string>()
  let [next, assertions] = [0, 0]
  for (const instruction of namedInstructions(after))
    if (JSON.stringify(instruction) === JSON.stringify(wanted[next])) next++
    else if (
      assertions < maxLighthouseAssertions &&
      isLighthouseAssertion(
        readInstruction({ ...instruction, data: Uint8Array.from(instruction.data) }, transferLayouts),
      )
    ) {
      assertions++
      for (const account of [instruction.programId, ...instruction.accounts]) read.add(account)
    } else return false
  return (
    next === wanted.length &&
    before.version === after.version &&
    before.blockhash === after.blockhash &&
    before.keys[0] === after.keys[0] &&
    JSON.stringify(before.lookups) === JSON.stringify(after.lookups) &&
    before.keys.every((key) => is.get(key) === was.get(key)) &&
    after.keys.every((key) => was.has(key) || (read.has(key) && is.get(key) === 'read'))
  )
}

function rolesOf(parsed: ParsedTransaction): Map<string, string> {
  const roleOf = (index: number) =>
    `${index < parsed.signers ? 'sign' : 'read'}${isWritable(parsed, index) ? ' and write' : ''}`
  return new Map(parsed.keys.map((key, index) => [key, roleOf(index)]))
}

/** Names accounts by address, and accounts in lookup tables by their position. */
function namedInstructions({ keys, instructions }: ParsedTransaction) {
  const nameOf = (index: number) => keys[index] ?? `looked up ${index - keys.length}`
  return instructions.map(({ program, accounts, data }) => ({
    programId: nameOf(program),
    accounts: accounts.map(nameOf),
    data: [...data],
  }))
}
