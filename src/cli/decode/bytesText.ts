import { formatAmount } from '../../core/amount/formatAmount.ts'
import { oneLine } from '../../core/errors/oneLine.ts'
import { showText } from '../../core/errors/showText.ts'
import type { DescribedBytes, DescribedRedeem } from './describeBytes.ts'

/** What bytes say, for a person: a line for each thing. */
export function bytesText({ redeems = [], call, revert }: DescribedBytes): string {
  const lines = [
    ...redeems.flatMap((redeem, index) => [
      ...(index > 0 ? [''] : []),
      ...(redeems.length > 1 ? [`Redeem ${index} of a batch`] : []),
      ...redeemLines(redeem),
    ]),
    ...(call === undefined ? [] : [`As a call:    ${call}`]),
    ...(revert === undefined ? [] : [`As a revert:  ${revert}`]),
  ]
  return lines.map(oneLine).join('\n')
}

function redeemLines(redeem: DescribedRedeem): string[] {
  const {
    shape = 'unknown',
    amount,
    usdcAmount,
    dstChainId,
    nftContract,
    nftId,
    gasFee,
    validBefore,
  } = redeem
  const line = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`  ${name.padEnd(12)} ${value}`]
  const paid = usdcAmount === 0n ? '' : `, of which the customer pays ${dollars(usdcAmount)} in USDC`
  return [
    `A redeem of shape ${shape}: ${dollars(amount)}${paid}`,
    ...line('customer', redeem.wallet),
    ...line('credit seed', showText(redeem.creditSeed, 60)),
    ...line(shape === 'token' ? 'pays' : 'calls', redeem.target),
    ...line('on chain', dstChainId?.toString()),
    ...line('with', redeem.call),
    ...line('NFT', nftContract && `of ${nftContract}${nftId === undefined ? '' : `, id ${nftId}`}`),
    ...line('gas fee', dollars(gasFee)),
    ...line('good until', momentOf(validBefore)),
    ...line('nonce', redeem.nonce),
  ]
}

const dollars = (amount: bigint) => `${formatAmount(amount, { decimals: 6, minimumPlaces: 2 })} USD`

/** A number of seconds may be beyond every calendar. */
function momentOf(seconds: bigint): string {
  return seconds < 8_640_000_000_000n ? new Date(Number(seconds) * 1_000).toISOString() : `${seconds}`
}
