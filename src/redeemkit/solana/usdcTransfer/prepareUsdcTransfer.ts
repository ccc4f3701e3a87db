import { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { InsufficientUsdcError } from '../../core/errors/transactionErrors.ts'
import { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import { checkOptions, invalidOption } from '../checkOptions.ts'
import { formatBase58, readLittleEndian } from '../encoding.ts'
import { programs } from '../transaction/programs.ts'
import { FeeTooHighError, MissingTokenAccountError } from './errors.ts'
import { tokenAccountRent, transferTerms } from './transferTerms.ts'
import { type UsdcTransfer, usdcTransfer } from './usdcTransfer.ts'

/**
 * Builds a USDC transfer with data from the chain. Checks the node's network, the customer's token account and balance,
 * and that no program owns the receiver. Reads the latest blockhash, and the rent if the receiver's token account must
 * be created.
 *
 * @returns the same as `usdcTransfer`; `rent.lamports` is `"0"` if the receiver's token account exists
 * @throws {@link WrongNetworkError} {@link InsufficientUsdcError}; {@link MissingTokenAccountError} when the customer has no token account,
 *   or when a side's token account is frozen or has another owner; {@link InvalidAddressError} when a program owns the receiver; {@link
 *   FeeTooHighError} when the node asks for more rent than allowed; and what `usdcTransfer` throws
 */
export async function prepareUsdcTransfer(
  connection: Pick<
    Connection,
    'getGenesisHash' | 'getLatestBlockhash' | 'getAccountInfo' | 'getMinimumBalanceForRentExemption'
  >,
  options: prepareUsdcTransfer.Options,
): Promise<UsdcTransfer> {
  const { network, from, to, amount, ...accounts } = transferTerms(checkOptions(options))
  const genesisHash = await connection.getGenesisHash()
  if (genesisHash !== network.genesisHash)
    throw new WrongNetworkError(`The node is not on ${network.name}: its genesis hash is ${genesisHash}.`, {
      field: 'connection',
      fix: `Connect to a ${network.name} node, or change the environment.`,
    })
  const [source, destination, receiver] = await Promise.all([
    readTokenAccount(connection, accounts.source),
    readTokenAccount(connection, accounts.destination),
    readAccount(connection, to),
  ])
  if (source?.owner !== from || !source.isUsable)
    throw new MissingTokenAccountError(`${from} has no usable token account for USDC on ${network.name}.`, {
      field: 'from',
      fix: 'Let the customer receive USDC first, or pay from another wallet. A frozen account cannot pay.',
    })
  if (destination !== undefined && (destination.owner !== to || !destination.isUsable))
    throw new MissingTokenAccountError(
      `${to} cannot receive USDC: its token account is frozen or has another owner.`,
      { field: 'to', fix: 'Pay to another wallet.' },
    )
  if (destination === undefined && options.layout === 'x402')
    throw new MissingTokenAccountError(
      `${to} has no token account for USDC, and an x402 payment cannot create one.`,
      { field: 'to', fix: 'Have the receiver create the token account, or omit layout.' },
    )
  const program = receiver?.owner.toBase58() ?? programs.system
  if (program !== programs.system && options.allowOwnerOffCurve !== true)
    throw new InvalidAddressError(`${to} belongs to the program ${program}.`, {
      field: 'to',
      fix: "Pass the receiving wallet. For a program's vault, set allowOwnerOffCurve.",
    })
  const { amount: balance } = source
  if (balance < amount)
    throw new InsufficientUsdcError(`${from} holds ${balance} raw units of USDC, but ${amount} are needed.`, {
      field: 'amount',
      fix: 'Pay less, or add USDC first.',
    })
  const rent =
    destination !== undefined
      ? { lamports: 0n }
      : (options.rent ?? { lamports: await readRent(connection, options.maxRentLamports) })
  const latest = await connection.getLatestBlockhash('confirmed')
  return usdcTransfer({ ...options, rent, ...latest })
}

export declare namespace prepareUsdcTransfer {
  type Options = Omit<usdcTransfer.Options, 'blockhash' | 'lastValidBlockHeight'> & {
    /** Maximum rent that the node may report for a token account. Default 2_039_280n; ignored if `rent` is set. */
    maxRentLamports?: bigint | undefined
  }
  type ErrorType =
    | usdcTransfer.ErrorType
    | WrongNetworkError
    | InsufficientUsdcError
    | MissingTokenAccountError
    | FeeTooHighError
}

/**
 * Reads a token account of the classic Token program. Returns `undefined` if the address has no such account, even if it holds lamports:
 * the sponsor must then pay for its creation.
 */
export async function readTokenAccount(
  connection: Pick<Connection, 'getAccountInfo'>,
  account: string,
): Promise<{ owner: string; amount: bigint; isUsable: boolean } | undefined> {
  const found = await readAccount(connection, account)
  if (found?.owner.toBase58() !== programs.token || found.data.length !== 165) return undefined
  const data = Uint8Array.from(found.data)
  return {
    owner: formatBase58(data.slice(32, 64)),
    amount: readLittleEndian(data.slice(64, 72)),
    // State 2 means frozen, and state 0 means not initialized.
    isUsable: data[108] === 1,
  }
}

/**
 * Returns the node's rent for a token account, in lamports. Rejects values above the limit, and 0, which in a transfer would mean that the
 * account exists.
 */
export async function readRent(
  connection: Pick<Connection, 'getMinimumBalanceForRentExemption'>,
  maxRentLamports: bigint = tokenAccountRent,
): Promise<bigint> {
  if (typeof maxRentLamports !== 'bigint')
    throw invalidOption('maxRentLamports', maxRentLamports, 'Pass lamports as a bigint.')
  const lamports = await connection.getMinimumBalanceForRentExemption(165)
  if (Number.isSafeInteger(lamports) && lamports > 0 && lamports <= maxRentLamports) return BigInt(lamports)
  throw new FeeTooHighError(
    `The node reports a rent of ${lamports} lamports for a token account, not 1 to ${maxRentLamports}.`,
    { field: 'rent', fix: 'Use another node, or raise maxRentLamports.' },
  )
}

/** An account as a node reports it; null if the address is empty. */
export function readAccount(
  connection: Pick<Connection, 'getAccountInfo'>,
  address: string,
): ReturnType<Connection['getAccountInfo']> {
  // Only `toBase58` of a key is called; see `Connection`.
  return connection.getAccountInfo({ toBase58: () => address } as never, 'confirmed')
}

/** The methods of a web3.js `Connection` that these functions call. Each function requires only those that it calls. */
export type Connection = {
  getGenesisHash(): Promise<string>
  getLatestBlockhash(commitment?: 'confirmed'): Promise<{ blockhash: string; lastValidBlockHeight: number }>
  /** The height and the slot of a block, in one response. */
  getEpochInfo(commitment?: 'finalized'): Promise<{ absoluteSlot: number; blockHeight?: number | undefined }>
  /** Lamports that an account of this size in bytes must hold. */
  getMinimumBalanceForRentExemption(length: number): Promise<number>
  getAccountInfo(
    // web3.js declares its own class here; only `toBase58` is called.
    publicKey: never,
    commitment?: 'confirmed',
  ): Promise<{ owner: { toBase58(): string }; data: Uint8Array } | null>
  sendRawTransaction(bytes: Uint8Array, options?: { preflightCommitment: 'confirmed' }): Promise<string>
  getSignatureStatuses(
    signatures: string[],
    options?: { searchTransactionHistory: boolean },
  ): Promise<{
    /** The slot at which the node responded. */
    context: { slot: number }
    value: readonly ({ slot: number; err: unknown; confirmationStatus?: string | undefined } | null)[]
  }>
}
