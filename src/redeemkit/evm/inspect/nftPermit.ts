import { finding } from '../../core/finding/finding.ts'
import { addressValue, line, sentence, textValue, timeValue } from '../../core/inspection/values.ts'
import { unixSeconds } from '../../core/time/clock.ts'
import type { ReadContext } from '../creditPermit/inspectOptions.ts'
import { type OtherTypedData, readAddress, readUint } from './otherTypedData.ts'
import type { JudgedPermit } from './tokenPermit.ts'
import { approvalFindings, namedAddress, type Place } from './tokenTexts.ts'

/** A permit to take one NFT (ERC-4494), or all NFTs of a contract; `undefined` for other typed data. */
export function judgeNftPermit(data: OtherTypedData, context: ReadContext): JudgedPermit | undefined {
  const { message, domain, primaryType } = data
  const contract = domain.verifyingContract
  const layout = data.layouts[primaryType]
  const isOne =
    primaryType === 'Permit' && layout === 'address spender,uint256 tokenId,uint256 nonce,uint256 deadline'
  const isAll = layout === 'address owner,address operator,bool approved,uint256 nonce,uint256 deadline'
  if (contract === undefined || !(isOne || isAll)) return undefined
  const place: Place = { chainId: domain.chainId, context }
  const spender = readAddress(isOne ? message.spender : message.operator, 'message')
  const deadline = readUint(message.deadline, 'message.deadline')
  const now = unixSeconds(context.now)
  const values = { spender: namedAddress(spender, place), contract: addressValue(contract) }
  // wallets sign everything but `false` as true, even the text "false"
  const isRevocation = isAll && message.approved === false
  const id = isOne ? readUint(message.tokenId, 'message.tokenId') : 0n
  return {
    title: isOne
      ? sentence('allow.nft', { ...values, id: textValue(`${id}`) })
      : sentence(isRevocation ? 'revoke.nfts' : 'allow.nfts', values),
    lines: [
      line('spender', values.spender),
      ...(isOne ? [line('nft', textValue(`${id}`))] : []),
      line('submitUntil', timeValue(deadline, now)),
    ],
    findings: [
      ...(isRevocation
        ? [finding('warning', 'ZERO_AMOUNT', 'It takes an approval away.', { field: 'message' })]
        : approvalFindings({ spender, isAll, field: 'message' }, place)),
      ...(deadline < now
        ? [finding('warning', 'EXPIRED', 'It has expired.', { field: 'message.deadline' })]
        : []),
    ],
    grants: isRevocation
      ? []
      : [
          {
            asset: contract,
            amount: isAll ? 'unlimited' : 1n,
            decimals: undefined,
            from: context.address ?? 'signer',
            to: spender,
            until: undefined,
          },
        ],
  }
}
