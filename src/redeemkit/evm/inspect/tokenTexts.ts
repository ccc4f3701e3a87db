import { formatAmount } from '../../core/amount/formatAmount.ts'
import { evmNetworks } from '../../core/evmNetworks.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { shortAddress } from '../../core/shortAddress.ts'
import type { InspectOptions } from '../creditPermit/inspectOptions.ts'
import { chainText, grouped, plainDollars, quote } from '../findingTexts.ts'

/** Permit2, at one address on every chain (github.com/Uniswap/permit2). */
export const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** Approvals from here on are written as "all": many tokens count with 96 bits. */
const unlimited = (1n << 96n) - 1n
/** A billion dollars: more than anybody approves on purpose. */
const unlimitedUsdc = 1_000_000_000_000_000n
const coins: Readonly<Record<string, string>> = {
  eth: 'ETH',
  base: 'ETH',
  arbitrum: 'ETH',
  polygon: 'POL',
  monad: 'MON',
}

/** Where a request is judged. */
export type Place = { chainId: number | undefined; options: InspectOptions }

/** Decimals of a token, for the chain's USDC alone. Those of other tokens are not known and never guessed. */
export function decimalsOf(token: string, { chainId, options }: Place): 6 | undefined {
  const usdc = [options.token?.address, evmNetworks.find((one) => one.chainId === chainId)?.usdc?.address]
  return usdc.some((address) => address?.toLowerCase() === token.toLowerCase()) ? 6 : undefined
}

/** Whether an approval is for everything. */
export function isUnlimited(amount: bigint, token: string, place: Place): boolean {
  return amount >= (decimalsOf(token, place) === undefined ? unlimited : unlimitedUsdc)
}

/** An amount of a token: `4.00 USDC`, `all of your USDC`, `5 raw units of the token 0x…`. */
export function tokenText(
  amount: bigint | 'unlimited',
  token: string,
  place: Place,
  mayBeNft = false,
): string {
  const isUsdc = decimalsOf(token, place) !== undefined
  if (amount === 'unlimited')
    return isUsdc ? 'all of your USDC' : `all of your tokens of the contract ${token}`
  return isUsdc
    ? `${grouped(plainDollars(amount))} USDC`
    : `${amount} raw units of the token ${token} (its decimals are not known here${mayBeNft ? `; if it is an NFT, the one with this number` : ''})`
}

/** An amount of the chain's own coin. */
export function coinText(amount: bigint, { chainId }: Place): string {
  const blockchain = evmNetworks.find((one) => one.chainId === chainId)?.blockchain
  const coin = blockchain === undefined ? undefined : coins[blockchain]
  return coin === undefined ? `${amount} wei` : `${grouped(formatAmount(amount, { decimals: 18 }))} ${coin}`
}

/** ` on Base`; nothing for a chain that the request does not name. */
export const onChain = ({ chainId }: Place) =>
  ` on ${chainId === undefined ? 'the chain of your wallet' : chainText(chainId)}`

/** Names the contract of USDC, which the amount leaves out. */
export function contractText(tokens: readonly string[], place: Place): string {
  const known = tokens.find((token) => decimalsOf(token, place) !== undefined)
  return known === undefined ? '' : ` USDC is the contract ${shortAddress(known)}${onChain(place)}.`
}

/** The name that the wallet has for an address. */
export function nameOf(address: string, { known, pinned }: InspectOptions): string | undefined {
  const lower = address.toLowerCase()
  const named = Object.entries(known ?? {}).find(([key]) => key.toLowerCase() === lower)?.[1]
  if (named !== undefined) return quote(named)
  if (lower === permit2.toLowerCase()) return 'Permit2'
  return pinned?.creditsContract?.toLowerCase() === lower ? 'your pinned credits contract' : undefined
}

/** An address with the name that the wallet has for it. Short where it does not have to be compared. */
export function addressText(address: string, options: InspectOptions, isRefused = false): string {
  const text = isRefused ? shortAddress(address) : address
  const name = nameOf(address, options)
  return name === undefined ? text : `${name} (${text})`
}

/** What is wrong with an approval. */
export function approvalFindings(
  { spender, isAll, field }: { spender: string; isAll: boolean; field: string },
  options: InspectOptions,
): Finding[] {
  if (!isAll)
    return [
      finding('warning', 'DELEGATE_APPROVAL', `It lets ${spender} take tokens.`, {
        field,
        fix: 'Sign it only if you know this spender.',
      }),
    ]
  return [
    finding(
      nameOf(spender, options) === undefined ? 'danger' : 'warning',
      'UNLIMITED_APPROVAL',
      `It lets ${spender} take everything.`,
      { field, fix: 'Approve only the amount that is needed.' },
    ),
  ]
}

/** A chain that is not the wallet's. */
export function walletChainFindings(
  chainId: number | undefined,
  options: InspectOptions,
  field: string,
): Finding[] {
  if (chainId === undefined || options.chainId === undefined || chainId === options.chainId) return []
  return [
    finding(
      'danger',
      'WRONG_CHAIN',
      `It is for ${chainText(chainId)}, and your wallet is on ${chainText(options.chainId)}.`,
      { field, fix: 'Switch the wallet, or do not sign it.' },
    ),
  ]
}
