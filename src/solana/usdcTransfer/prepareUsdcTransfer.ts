import { BaseError } from '../../core/errors/baseError.ts'
import { parseAddress } from '../address/parseAddress.ts'
import { tokenAccountOf } from '../address/tokenAccountOf.ts'
import { encodeBase58 } from '../encoding/encodeBase58.ts'
import { programs } from '../instruction/programs.ts'
import { networkOf, WrongNetworkError } from '../networks.ts'
import { checkAmount } from './checkAmount.ts'
import type { Connection } from './connection.ts'
import { type UsdcTransfer, usdcTransfer } from './usdcTransfer.ts'

/**
 * Builds a USDC transfer from what the chain says: checks the node's network, the customer's token account and balance,
 * finds out whether rent is due, and takes the latest blockhash.
 *
 * @returns as `usdcTransfer`; `rent.lamports` is `"0"` when the receiver's token account is there
 * @throws {@link WrongNetworkError} {@link MissingTokenAccountError} {@link InsufficientUsdcError}, and what `usdcTransfer` throws
 */
export async function prepareUsdcTransfer(
  connection: Pick<Connection, 'getGenesisHash' | 'getLatestBlockhash' | 'getAccountInfo'>,
  options: prepareUsdcTransfer.Options,
): Promise<UsdcTransfer> {
  const network = networkOf(options.environment)
  const mint = network.usdcMint
  const amount = checkAmount(options.amount)
  const from = parseAddress(options.from, { field: 'from' })
  const to = parseAddress(options.to, { field: 'to' })
  const genesisHash = await connection.getGenesisHash()
  if (genesisHash !== network.genesisHash)
    throw new WrongNetworkError(`The node serves another network (${genesisHash}) than ${network.name}.`, {
      field: 'connection',
      fix: `Connect to a ${network.name} node, or change the environment.`,
    })
  const read = async (owner: string) => {
    const account = tokenAccountOf({ owner, mint })
    // See `Connection`: the only thing that is called of a key is its `toBase58`.
    return connection.getAccountInfo({ toBase58: () => account } as never, 'confirmed')
  }
  const source = await read(from)
  if (
    source === null ||
    source.owner.toBase58() !== programs.token ||
    encodeBase58(source.data.slice(32, 64)) !== from ||
    source.data[108] !== 1
  )
    throw new MissingTokenAccountError(`${from} has no usable token account for USDC on ${network.name}.`, {
      field: 'from',
      fix: 'Let the customer receive USDC first, or pay from another wallet. A frozen account cannot pay.',
    })
  const balance = new DataView(Uint8Array.from(source.data).buffer).getBigUint64(64, true)
  if (balance < amount)
    throw new InsufficientUsdcError(`${from} holds ${balance} raw units of USDC, ${amount} are needed.`, {
      field: 'amount',
      fix: 'Pay less, or add USDC first.',
    })
  const rent = (await read(to)) === null ? options.rent : { lamports: 0n }
  const latest = await connection.getLatestBlockhash('confirmed')
  return usdcTransfer({ ...options, rent, ...latest })
}

export declare namespace prepareUsdcTransfer {
  type Options = Omit<usdcTransfer.Options, 'blockhash' | 'lastValidBlockHeight'>
}

/** A customer without a token account for USDC, or with one that cannot pay. */
export class MissingTokenAccountError extends BaseError {
  override readonly name = 'MissingTokenAccountError'
}

/** A customer with less USDC than is to be paid. */
export class InsufficientUsdcError extends BaseError {
  override readonly name = 'InsufficientUsdcError'
}
