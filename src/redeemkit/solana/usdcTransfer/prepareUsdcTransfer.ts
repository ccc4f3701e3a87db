import { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { InsufficientUsdcError } from '../../core/errors/transactionErrors.ts'
import { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import { checkOptions } from '../checkOptions.ts'
import { programs } from '../instruction/programs.ts'
import { type FeeTooHighError, MissingTokenAccountError } from './errors.ts'
import { type Connection, readAccount, readRent, readTokenAccount } from './readAccounts.ts'
import { transferTerms } from './transferInstructions.ts'
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
      {
        field: 'to',
        fix: 'Have the receiver create the token account, or omit layout.',
      },
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
