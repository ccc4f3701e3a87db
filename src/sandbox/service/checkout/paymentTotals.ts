import { amountPerCent, parseAmount, usdcDecimals } from '../../../redeemkit/core/amount.ts'
import type { Blockchain } from '../../../redeemkit/core/blockchains.ts'
import type { Currency, Subtotal, TokenSubtotal } from '../../../redeemkit/schema/subtotal.ts'
import type { CustomPayInFee } from '../../../redeemkit/schema/totals.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import { networkOf as solanaNetworkOf } from '../../../redeemkit/solana/networks.ts'
import { gasPrice } from '../../relayer/relayerChain.ts'
import type { PaymentLineKind, PaymentRail } from '../../store/states.ts'
import { evmChain } from '../http/customer.ts'
import type { Merchant } from '../http/merchant.ts'
import { invalid, problem } from '../http/problem.ts'
import { gasFeeOf, gasOfShape } from '../redeem/gasFee.ts'
import { resolveIntent } from '../redeem/resolveIntent.ts'
import type { Service } from '../service.ts'
import { convertCents, divide, exactDecimal } from './rates.ts'

/** A line of a total, in cents of the charged currency. */
type TotalLine = { kind: PaymentLineKind; label: string; cents: bigint }

/** Each fee is computed exactly, then rounded up to a whole cent (PROTOCOL.md 10.2). */
export function feeLines(
  body: {
    customPayInFees?: readonly CustomPayInFee[] | undefined
    feePercentage?: number | undefined
    fixedFee?: { cents: number } | undefined
  },
  subtotal: { cents: bigint; currency: Currency },
): TotalLine[] {
  const { customPayInFees = [], feePercentage, fixedFee } = body
  const lines: TotalLine[] = customPayInFees.map((fee, index) => ({
    kind: 'payInFees',
    label: fee.lineItemLabel,
    cents: customFee(fee.fee, subtotal, `customPayInFees.${index}.fee`),
  }))
  if (feePercentage !== undefined)
    lines.push({
      kind: 'marketplaceFees',
      label: 'Marketplace fee',
      cents: percentOf(subtotal.cents, feePercentage, 'feePercentage'),
    })
  if (fixedFee !== undefined)
    lines.push({ kind: 'marketplaceFees', label: 'Fixed fee', cents: BigInt(fixedFee.cents) })
  return lines
}

/** Returns the merchant's fees for a card payment (PROTOCOL.md 10.2). */
export function cardFeeLines(
  { settings: { cardFees = {} } }: Pick<Merchant, 'settings'>,
  { cents, currency }: { cents: bigint; currency: Currency },
): TotalLine[] {
  const { fixedCents = 0, variableBps = 0, networkBps = 0 } = cardFees
  const fixed = convertCents(BigInt(fixedCents), {
    from: 'USD',
    to: currency,
    round: 'up',
    field: 'subtotal',
  })
  const part = (share: number) => shareOf(cents, { share, of: 10_000n, field: 'subtotal' })
  const lines: TotalLine[] = [
    { kind: 'creditCardFees', label: 'Card fee', cents: fixed + part(variableBps) },
    { kind: 'networkFees', label: 'Network fee', cents: part(networkBps) },
  ]
  return lines.filter((line) => line.cents > 0n)
}

/** Adds amount and percentage if a fee has both, unless `isFixed` selects one: the amount if true, the percentage if false. */
function customFee(
  fee: CustomPayInFee['fee'],
  subtotal: { cents: bigint; currency: Currency },
  field: string,
): bigint {
  const fixed = fee.isFixed === false ? undefined : (fee.cents ?? undefined)
  const percent = fee.isFixed === true ? undefined : (fee.percent ?? undefined)
  if (fixed === undefined && percent === undefined)
    throw invalid(
      fee.isFixed === true ? `${field}.cents` : `${field}.percent`,
      fee.isFixed === true ? 'A fixed fee requires cents.' : 'A fee that is not fixed requires percent.',
    )
  let cents = 0n
  if (fixed !== undefined) {
    const { digits, places } = exactFee(fixed, `${field}.cents`)
    const { currency } = subtotal
    const converted = convertCents(digits, {
      from: fee.currency ?? currency,
      to: currency,
      round: 'up',
      field: `${field}.currency`,
    })
    // Because the divisors are whole numbers, rounding up twice gives the same result as rounding up once.
    cents += divide(converted, 10n ** BigInt(places), 'up')
  }
  if (percent !== undefined) cents += percentOf(subtotal.cents, percent, `${field}.percent`)
  return cents
}

function percentOf(cents: bigint, percent: number, field: string): bigint {
  return shareOf(cents, { share: percent, of: 100n, field })
}

function shareOf(cents: bigint, { share, of, field }: { share: number; of: bigint; field: string }): bigint {
  const { digits, places } = exactFee(share, field)
  return divide(cents * digits, of * 10n ** BigInt(places), 'up')
}

function exactFee(value: number, field: string): { digits: bigint; places: number } {
  if (!(value >= 0) || value > maximumFee || (value > 0 && value < minimumFee))
    throw invalid(field, `The fee ${value} is out of range. It must be 0, or from ${minimumFee} to 2^53 - 1.`)
  return exactDecimal(value)
}

const maximumFee = Number.MAX_SAFE_INTEGER
/** Minimum of a percentage. Smaller numbers are mistakes, and computing them exactly would need hundreds of digits. */
const minimumFee = 1e-9

/** Computes the price of a purchase, line by line (PROTOCOL.md 10.2). Checkouts charge exactly this price. */
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
  if (subtotal.cents === 0n) throw invalid('subtotal', 'The subtotal must be above zero.')
  const currency = currencyOfRail[rail] ?? subtotal.currency
  const field = 'subtotal.currency'
  const usdCents = convertCents(subtotal.cents, { from: subtotal.currency, to: 'USD', round: 'down', field })
  checkUsdCents(usdCents)
  checkLimits(merchant, usdCents)
  const cents = convertCents(subtotal.cents, { from: subtotal.currency, to: currency, round: 'up', field })
  const lines: TotalLine[] = [
    { kind: 'subtotal', label: 'Subtotal', cents },
    ...feeLines(body, { cents, currency }),
    ...(rail === 'card' ? cardFeeLines(merchant, { cents, currency }) : []),
  ]
  const add = (kind: 'gasFees' | 'rent', label: string, usd: bigint) => {
    if (usd > 0n)
      lines.push({ kind, label, cents: convertCents(usd, { from: 'USD', to: currency, round: 'up', field }) })
  }
  add('gasFees', 'Gas', await gasCents(service, { merchant, blockchain, usdCents, ...body }))
  if (body.rent !== undefined) add('rent', 'Rent', rentCents(body.rent.lamports, blockchain))
  const totalCents = lines.reduce((sum, line) => sum + line.cents, 0n)
  if (totalCents > maximumCents) throw invalid('subtotal', 'The total is above 2^53 - 1 cents.')
  return { subtotal, usdCents, currency, lines, totalCents }
}

/** Rails with a fixed currency: wires are domestic, and Pix is in reais. */
const currencyOfRail: Partial<Record<PaymentRail, Currency>> = { wire: 'USD', pix: 'BRL' }

export type TotalsRequest = {
  subtotal: Subtotal
  customPayInFees?: readonly CustomPayInFee[] | undefined
  feePercentage?: number | undefined
  fixedFee?: { cents: number } | undefined
  rent?: { lamports: string | number } | undefined
  transactionData?: TransactionData | undefined
}

export type PaymentTotals = {
  subtotal: { cents: bigint; currency: Currency }
  /** The subtotal in US cents, rounded down. */
  usdCents: bigint
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
  const { address, decimals = usdcDecimals } = subtotal
  if (blockchain === undefined)
    throw invalid(
      service.headers.blockchain,
      `A subtotal in tokens requires the header ${service.headers.blockchain}.`,
    )
  const usdc = usdcOf(service, blockchain)
  const isUsdc = blockchain === 'solana' ? address === usdc : address.toLowerCase() === usdc?.toLowerCase()
  if (!isUsdc || decimals !== usdcDecimals)
    throw problem(
      'UNSUPPORTED_SUBTOTAL',
      `A checkout on ${blockchain} accepts subtotals in fiat money${usdc === undefined ? '' : ` or in its USDC, ${usdc} with 6 decimals`}.`,
      { issues: [isUsdc ? 'subtotal.decimals' : 'subtotal.address'] },
    )
  return { cents: divide(tokenAmount(subtotal), amountPerCent, 'up'), currency: 'USD' }
}

function tokenAmount({ amount }: TokenSubtotal): bigint {
  return parseAmount(String(amount), { decimals: usdcDecimals, field: 'subtotal.amount' })
}

function usdcOf(service: Service, blockchain: Blockchain): string | undefined {
  if (blockchain === 'solana') return solanaNetworkOf(service.environment).usdcMint
  if (blockchain === 'stellar' || blockchain === 'user') return undefined
  return service.chains.get(blockchain)?.usdc
}

/** Checks the amount to settle: zero settles nothing, and an amount above 2^53 - 1 would be rounded. */
function checkUsdCents(usdCents: bigint): void {
  if (usdCents === 0n) throw invalid('subtotal', 'The subtotal is less than one US cent.')
  if (usdCents > maximumCents) throw invalid('subtotal', 'The subtotal is above 2^53 - 1 US cents.')
}

function checkLimits({ settings }: Merchant, usdCents: bigint): void {
  const { minimumCents, maximumCents: most } = settings
  if (minimumCents !== undefined && usdCents < BigInt(minimumCents))
    throw problem('INVALID_REQUEST', `This merchant's minimum is ${minimumCents} US cents.`, {
      issues: ['subtotal'],
      details: { minimumCents },
    })
  if (most !== undefined && usdCents > BigInt(most))
    throw problem('INVALID_REQUEST', `This merchant's maximum is ${most} US cents.`, {
      issues: ['subtotal'],
      details: { maximumCents: most },
    })
}

/** Returns the price of the gas of `transactionData` in US cents, which the customer pays; 0 if the merchant pays it. */
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
    throw invalid(
      service.headers.blockchain,
      `transactionData requires the header ${service.headers.blockchain}.`,
    )
  const chain = evmChain(service, blockchain, service.headers.blockchain)
  const intent = resolveIntent(chain, { subtotal: { cents: Number(usdCents) }, transactionData })
  const payer = merchant.settings.gasFeePayer ?? service.settings.gasFeePayer
  if (payer === 'merchant') return 0n
  return (await gasFeeOf(chain, gasOfShape(chain, intent), await gasPrice(chain))) / amountPerCent
}

function rentCents(lamports: string | number, blockchain: Blockchain | undefined): bigint {
  if (blockchain !== 'solana') throw invalid('rent', 'Omit rent: only Solana has it.')
  return divide(BigInt(lamports) * solCents, lamportsPerSol, 'up')
}

/** The sandbox's fixed, simulated price of one SOL in US cents. */
const solCents = 15_000n
const lamportsPerSol = 1_000_000_000n
