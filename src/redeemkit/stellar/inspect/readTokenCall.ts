import { Address, Asset, scValToBigInt, xdr } from '@stellar/stellar-sdk'
import { formatAmount } from '../../core/amount/formatAmount.ts'
import type { Invocation } from '../envelope/parseInvocation.ts'
import type { StellarNetwork } from '../networks.ts'

/**
 * The functions of a token (SEP-41, CAP-46-6) that customers are asked for: types of the arguments (`a`ddress, `i`128, `u`32), and
 * what they do in words, with the number of an argument for its value.
 *
 * What is not here is not understood: who may administer or freeze a token is not asked of customers.
 */
const functions: Readonly<Record<string, readonly [types: string, words: string]>> = {
  transfer: ['aai', 'Pay 2 from 0 to 1'],
  transfer_from: ['aaai', 'Pay 3 from 1 to 2 by the allowance of 0'],
  approve: ['aaiu', 'Let 1 spend 2 of 0 until ledger 3'],
  burn: ['ai', 'Destroy 1 of 0'],
  burn_from: ['aai', 'Destroy 2 of 1 by the allowance of 0'],
}

/** A call of USDC's or XLM's contract in words; undefined for what is not understood. */
export function readTokenCall(
  { contract, functionName, args }: Invocation,
  network: StellarNetwork,
): string | undefined {
  const token = tokenOf(contract, network)
  const [types, words] = (Object.hasOwn(functions, functionName) && functions[functionName]) || []
  if (token === undefined || types === undefined || words === undefined) return undefined
  const values = args.map((arg, index) => readArgument(arg, types[index], token))
  if (values.length !== types.length || values.includes(undefined)) return undefined
  return words.replace(/\d/g, (index) => values[Number(index)] ?? '')
}

/** The name of a token by its contract: USDC's is the network's, XLM's follows from the passphrase. */
function tokenOf(contract: string, { usdc, networkPassphrase }: StellarNetwork): string | undefined {
  if (contract === usdc.contract) return usdc.code
  return contract === Asset.native().contractId(networkPassphrase) ? 'XLM' : undefined
}

function readArgument(arg: string, type: string | undefined, token: string): string | undefined {
  const value = xdr.ScVal.fromXDR(arg, 'base64')
  const { name } = value.switch()
  if (type === 'a' && name === 'scvAddress') return Address.fromScVal(value).toString()
  if (type === 'i' && name === 'scvI128')
    return `${formatAmount(scValToBigInt(value), { decimals: 7 })} ${token}`
  return type === 'u' && name === 'scvU32' ? String(value.u32()) : undefined
}
