import { amountPerCent } from '../../../../redeemkit/core/amount/centsToAmount.ts'
import { InvalidAmountError, parseAmount } from '../../../../redeemkit/core/amount/parseAmount.ts'
import type { Blockchain } from '../../../../redeemkit/core/blockchains.ts'
import type { Currency } from '../../../../redeemkit/schema/currency.ts'
import type { Subtotal, TokenSubtotal } from '../../../../redeemkit/schema/subtotal.ts'
import type { CustomPayInFee } from '../../../../redeemkit/schema/totals.ts'
import type { TransactionData } from '../../../../redeemkit/schema/transactionData.ts'
import { networkOf as solanaNetworkOf } from '../../../../redeemkit/solana/networks.ts'
import { gasPrice } from '../../../relayer/gasPrice.ts'
import type { PaymentRail } from '../../../store/states.ts'
import { evmChain } from '../../http/customer.ts'
import type { Merchant } from '../../http/merchant.ts'
import { problem } from '../../http/problem.ts'
import { gasFeeOf, gasOfShape } from '../../redeem/gasFee.ts'
import { resolveIntent } from '../../redeem/resolveIntent.ts'
import type { Service } from '../../service.ts'
import { convertCents, divide } from './convertCents.ts'
import { feeLines, type TotalLine } from './feeLines.ts'

/**
 * What a purchase costs before it is paid, line by line (PROTOCOL.md 10.2). The checkout charges what this says.
 *
 * @throws ServiceProblem, status 400: a subtotal of zero, outside of what the merchant takes, or in a currency or token that
 * the service does not take; a fee that is no amount
 */
export async function paymentTotals(
  service: Service,
  options: {
    merchant: Merchant
    blockchain: Blockchain | undefined
    rail: PaymentRail
    body: TotalsRequest
  },
): Promise<PaymentTotals> {
  const { merchant, blockchain, rail, body } = options
  const subtotal = readSubtotal(service, body.subtotal, blockchain)
  if (subtotal.cents === 0n)
    throw problem('INVALID_REQUEST', 'A purchase of nothing is not possible: the subtotal is zero.', {
      issues: ['subtotal'],
    })
  const currency = currencyOfRail[rail] ?? subtotal.currency
  const field = 'subtotal.currency'
  const usdCents = convertCents(subtotal.cents, { from: subtotal.currency, to: 'USD', round: 'down', field })
  checkUsdCents(usdCents)
  checkLimits(merchant, usdCents)
  const cents = convertCents(subtotal.cents, { from: subtotal.currency, to: currency, round: 'up', field })
  const lines: TotalLine[] = [
    { kind: 'subtotal', label: 'Subtotal', cents },
    ...feeLines(body, { cents, currency }),
  ]
  const add = (kind: 'gasFees' | 'rent', label: string, usd: bigint) => {
    if (usd > 0n)
      lines.push({ kind, label, cents: convertCents(usd, { from: 'USD', to: currency, round: 'up', field }) })
  }
  add('gasFees', 'Gas', await gasCents(service, { merchant, blockchain, usdCents, ...body }))
  if (body.rent !== undefined) add('rent', 'Rent', rentCents(body.rent.lamports, blockchain))
  const totalCents = lines.reduce((sum, line) => sum + line.cents, 0n)
  if (totalCents > maximumCents)
    throw problem('INVALID_REQUEST', 'The total is above 2^53 - 1 cents.', { issues: ['subtotal'] })
  return { subtotal, usdCents, currency, lines, totalCents }
}

/** A wire is a domestic one, and Pix moves reais; the others charge in the subtotal's currency. */
const currencyOfRail: Partial<Record<PaymentRail, Currency>> = { wire: 'USD', pix: 'BRL' }

/** The fields of a checkout body that decide what it costs. */
export type TotalsRequest = {
  subtotal: Subtotal
  customPayInFees?: readonly CustomPayInFee[] | undefined
  feePercentage?: number | undefined
  fixedFee?: { cents: number } | undefined
  rent?: { lamports: string | number } | undefined
  transactionData?: TransactionData | undefined
}

export type PaymentTotals = {
  /** As the body says it. */
  subtotal: { cents: bigint; currency: Currency }
  /** The same in US cents, rounded down. */
  usdCents: bigint
  /** What is charged, of lines and total. */
  currency: Currency
  lines: readonly TotalLine[]
  totalCents: bigint
}

const maximumCents = BigInt(Number.MAX_SAFE_INTEGER)

function readSubtotal(
  service: Service,
  subtotal: Subtotal,
  blockchain: Blockchain | undefined,
): { cents: bigint; currency: Currency } {
  if ('cents' in subtotal)
    return { cents: BigInt(subtotal.cents), currency: 'currency' in subtotal ? subtotal.currency : 'USD' }
  const { address, decimals = usdcPlaces } = subtotal
  if (blockchain === undefined)
    throw problem('INVALID_REQUEST', `A subtotal in tokens needs header ${service.headers.blockchain}.`, {
      issues: [service.headers.blockchain],
    })
  const usdc = usdcOf(service, blockchain)
  const isUsdc = blockchain === 'solana' ? address === usdc : address.toLowerCase() === usdc?.toLowerCase()
  if (!isUsdc || decimals !== usdcPlaces)
    throw problem(
      'UNSUPPORTED_SUBTOTAL',
      `A checkout on ${blockchain} takes subtotals in a currency${usdc === undefined ? '' : `, or in its USDC, ${usdc} with 6 decimals`}.`,
      { issues: [isUsdc ? 'subtotal.decimals' : 'subtotal.address'] },
    )
  return { cents: divide(tokenAmount(subtotal), amountPerCent, 'up'), currency: 'USD' }
}

const usdcPlaces = 6

function tokenAmount({ amount }: TokenSubtotal): bigint {
  try {
    return parseAmount(String(amount), { decimals: usdcPlaces, field: 'subtotal.amount' })
  } catch (cause) {
    if (!(cause instanceof InvalidAmountError)) throw cause
    throw problem('INVALID_REQUEST', `${cause.shortMessage} ${cause.fix ?? ''}`.trim(), {
      cause,
      issues: ['subtotal.amount'],
    })
  }
}

function usdcOf(service: Service, blockchain: Blockchain): string | undefined {
  if (blockchain === 'solana') return solanaNetworkOf(service.environment).usdcMint
  if (blockchain === 'stellar' || blockchain === 'user') return undefined
  return service.chains.get(blockchain)?.usdc
}

/** What a settlement is made of: with none of it a payment would do nothing, and above 2^53 - 1 it would be rounded. */
function checkUsdCents(usdCents: bigint): void {
  if (usdCents === 0n)
    throw problem('INVALID_REQUEST', 'The subtotal is less than one US cent: nothing could be settled.', {
      issues: ['subtotal'],
    })
  if (usdCents > maximumCents)
    throw problem('INVALID_REQUEST', 'The subtotal is above 2^53 - 1 US cents.', { issues: ['subtotal'] })
}

function checkLimits({ settings }: Merchant, usdCents: bigint): void {
  const { minimumCents, maximumCents: most } = settings
  if (minimumCents !== undefined && usdCents < BigInt(minimumCents))
    throw problem('INVALID_REQUEST', `This merchant sells from ${minimumCents} US cents on.`, {
      issues: ['subtotal'],
      details: { minimumCents },
    })
  if (most !== undefined && usdCents > BigInt(most))
    throw problem('INVALID_REQUEST', `This merchant sells up to ${most} US cents at once.`, {
      issues: ['subtotal'],
      details: { maximumCents: most },
    })
}

/** Gas of `transactionData` in US cents, as the customer pays it: 0 when the merchant does. */
async function gasCents(
  service: Service,
  options: {
    merchant: Merchant
    blockchain: Blockchain | undefined
    usdCents: bigint
    transactionData?: TransactionData | undefined
  },
): Promise<bigint> {
  const { merchant, blockchain, usdCents, transactionData } = options
  if (transactionData === undefined) return 0n
  if (blockchain === undefined)
    throw problem('INVALID_REQUEST', `transactionData needs header ${service.headers.blockchain}.`, {
      issues: [service.headers.blockchain],
    })
  const chain = evmChain(service, blockchain, service.headers.blockchain)
  // Also says whether the transaction can be executed at all.
  const intent = resolveIntent(chain, { subtotal: { cents: Number(usdCents) }, transactionData })
  const payer = merchant.settings.gasFeePayer ?? service.settings.gasFeePayer
  if (payer === 'merchant') return 0n
  return (await gasFeeOf(chain, gasOfShape(chain, intent), await gasPrice(chain))) / amountPerCent
}

function rentCents(lamports: string | number, blockchain: Blockchain | undefined): bigint {
  if (blockchain !== 'solana')
    throw problem('INVALID_REQUEST', 'Rent is paid on Solana only.', { issues: ['rent'] })
  return divide(BigInt(lamports) * solCents, lamportsPerSol, 'up')
}

/** The sandbox's fixed price of one SOL in US cents: simulated, as its rates are. */
const solCents = 15_000n
const lamportsPerSol = 1_000_000_000n
