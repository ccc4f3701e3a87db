import { amountPerCent, centsToAmount, parseAmount, usdcDecimals } from '../../../redeemkit/core/amount.ts'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import { InvalidAmountError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { checkAddress, zeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { hashSettlement } from '../../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import {
  type Settlement,
  settlementOf,
  shapeOf,
} from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { Cents, Subtotal } from '../../../redeemkit/schema/subtotal.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import {
  type TransactionDataKind,
  transactionDataKind,
} from '../../../redeemkit/schema/transactionDataKind.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { readBridgeAdapter } from '../../contracts/creditsReads.ts'
import { invalid, problem } from '../http/problem.ts'

/** A request in the contract's terms. Equivalent bodies result in equal intents. */
export type ResolvedIntent = {
  shape: TransactionDataKind
  settlement: Settlement
  /** The amount that the settlement spends, in raw USDC units. */
  amount: bigint
  usdcAmount: bigint
}

/** The nonce commits to the settlement hash. */
export type HashedIntent = ResolvedIntent & { settlementHash: `0x${string}` }

/** Once the contract's bridge adapter is replaced, earlier signatures of `decent` redeems no longer match the intent. */
export async function hashIntent(chain: EvmChain, intent: ResolvedIntent): Promise<HashedIntent> {
  const { settlement } = intent
  const bridgeAdapter = shapeOf(settlement).does === 'bridge' ? await readBridgeAdapter(chain) : undefined
  if (bridgeAdapter === zeroAddress)
    throw invalid('transactionData.dstChainId', `${chain.blockchain} currently has no bridge.`)
  return { ...intent, settlementHash: hashSettlement(settlement, { bridgeAdapter }) }
}

/** Reads the subtotal, USDC part and transaction from a body (PROTOCOL.md 6.1, 6.2). */
export function resolveIntent(
  chain: EvmChain,
  body: { subtotal: Subtotal; transactionData: TransactionData; usdcAmount?: Cents | undefined },
): ResolvedIntent {
  const amount = subtotalAmount(chain, body.subtotal)
  if (amount === 0n) throw invalid('subtotal', 'The subtotal must be above zero.')
  // The permit's amount, which also includes the gas fee, is a JSON number.
  if (amount > maxAmount)
    throw invalid('subtotal', `The subtotal is above ${maxAmount / (100n * amountPerCent)} US dollars.`)
  const usdcAmount = centsToAmount(body.usdcAmount?.cents ?? 0, { field: 'usdcAmount.cents' })
  if (usdcAmount > amount) throw invalid('usdcAmount.cents', 'The USDC amount cannot exceed the subtotal.')
  if (usdcAmount > 0n && chain.usdc === undefined)
    throw invalid(
      'usdcAmount',
      `USDC on ${chain.blockchain} does not support authorizations. Pay in credits only.`,
    )
  const settlement = settlementOn(chain, body.transactionData)
  return { shape: transactionDataKind(body.transactionData), settlement, amount, usdcAmount }
}

/** Keeps `creditsRawAmount` at most 2^53 - 1, with 1,000 dollars reserved for the fee. */
const maxAmount = BigInt(Number.MAX_SAFE_INTEGER) - 100_000n * amountPerCent

function subtotalAmount(chain: EvmChain, subtotal: Subtotal): bigint {
  if (!('address' in subtotal)) {
    if ('currency' in subtotal && subtotal.currency !== 'USD')
      throw problem(
        'UNSUPPORTED_SUBTOTAL',
        `A redeem accepts subtotals in USD, not in ${subtotal.currency}. Convert the subtotal first.`,
        { issues: ['subtotal.currency'] },
      )
    return centsToAmount(subtotal.cents, { field: 'subtotal.cents' })
  }
  const { usdc } = chain
  const address = attempt(() => checkAddress(subtotal.address, 'subtotal.address'))
  if (!sameHex(address, usdc))
    throw problem(
      'UNSUPPORTED_SUBTOTAL',
      usdc === undefined
        ? `A redeem on ${chain.blockchain} accepts subtotals in USD only.`
        : `A redeem accepts subtotals in USD or in the chain's own USDC, ${usdc}, not in ${showValue(subtotal.address)}.`,
      { issues: ['subtotal.address'] },
    )
  if (subtotal.decimals !== undefined && subtotal.decimals !== 6)
    throw problem('UNSUPPORTED_SUBTOTAL', `USDC has 6 decimals, not ${subtotal.decimals}.`, {
      issues: ['subtotal.decimals'],
    })
  try {
    // Uses the shortest decimal form of the number. A number whose form has an exponent is too small or too large.
    return parseAmount(String(subtotal.amount), { decimals: usdcDecimals, field: 'subtotal.amount' })
  } catch (error) {
    if (!(error instanceof InvalidAmountError)) throw error
    throw problem('UNSUPPORTED_SUBTOTAL', error.shortMessage, { issues: ['subtotal.amount'] })
  }
}

function settlementOn(chain: EvmChain, transactionData: TransactionData): Settlement {
  const settlement = settlementOf(transactionData)
  const { target, data } = settlement
  const { does } = shapeOf(settlement)
  if (does === 'transfer') {
    if ([chain.creditsContract, chain.usdc].some((address) => sameHex(address, target)))
      throw invalid(
        'transactionData.destination',
        `USDC sent to ${target} would be lost: the address is a contract of the service.`,
      )
  } else if (data.length < 10)
    throw invalid(
      does === 'bridge' ? 'transactionData.contractData' : 'transactionData.transaction.data',
      'Call data must start with a 4-byte function selector.',
    )
  if (does === 'bridge') {
    const chainId = Number(settlement.bridge.dstChainId)
    if (!chain.destinations.has(chainId))
      throw invalid(
        'transactionData.dstChainId',
        chain.destinations.size === 0
          ? `This service has no bridge from ${chain.blockchain}.`
          : `There is no bridge from ${chain.blockchain} to chain ${chainId}. Destinations: ${[...chain.destinations.keys()].join(', ')}.`,
      )
  }
  return settlement
}
