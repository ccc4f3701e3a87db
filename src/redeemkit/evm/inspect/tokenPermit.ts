import type { Address } from 'viem'
import { greatest } from '../../core/amount.ts'
import { unixSeconds } from '../../core/clock.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import type { InspectionSentence } from '../../core/inspection/inspection.ts'
import { addressValue, line, sentence, textValue, timeValue } from '../../core/inspection/values.ts'
import type { DescribedCall, ReadContext } from '../creditPermit/inspectOptions.ts'
import { permit2 } from '../findingTexts.ts'
import { checkRecord, sameHex, uint256Max } from '../values.ts'
import { linesOf, malformed, type OtherTypedData, readAddress, readUint } from './otherTypedData.ts'
import {
  amountOf,
  approvalFindings,
  decimalsOf,
  endOf,
  isUnlimited,
  isUsdc,
  namedAddress,
  type Place,
} from './tokenTexts.ts'

type Allowance = { token: Address; amount: bigint; until: bigint | undefined }
type TokenPermit = {
  owner: Address | undefined
  spender: Address
  allowances: readonly Allowance[]
  /** Unix seconds: the last second at which the permit can be submitted. */
  deadline: bigint
  /** Whether the permit allows a single transfer and leaves no allowance. */
  isTransfer: boolean
  isPermit2: boolean
}

/** Reads a permit to spend tokens (ERC-2612, DAI or Permit2); `undefined` for other typed data. */
export function readTokenPermit(data: OtherTypedData): TokenPermit | undefined {
  const { primaryType, layouts, message, domain } = data
  const layout = layouts[primaryType] ?? ''
  const token = domain.verifyingContract
  const ofToken = (owner: Address, amount: bigint, deadline: bigint): TokenPermit | undefined =>
    token && {
      owner,
      spender: readAddress(message.spender, 'message.spender'),
      allowances: [{ token, amount, until: undefined }],
      deadline,
      isTransfer: false,
      isPermit2: false,
    }
  if (token !== undefined && isErc2612(layout)) {
    const { owner, value, amount, rawAmount, deadline, expiry } = message
    return ofToken(
      readAddress(owner, 'message.owner'),
      readUint(value ?? amount ?? rawAmount, 'message.value'),
      readUint(deadline ?? expiry, 'message.deadline'),
    )
  }
  if (primaryType !== 'Permit') return readPermit2(data)
  if (layout !== 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed') return undefined
  const expiry = readUint(message.expiry, 'message.expiry')
  return ofToken(
    readAddress(message.holder, 'message.holder'),
    message.allowed === false ? 0n : uint256Max,
    expiry === 0n ? uint256Max : expiry, // DAI: 0 means no expiry
  )
}

/** The layouts of Permit2: the struct of each token, the field with the tokens, and the fields after the spender. */
const allowancePermit = {
  struct: 'PermitDetails',
  members: 'address token,uint160 amount,uint48 expiration,uint48 nonce',
  tokens: 'details',
  rest: 'uint256 sigDeadline',
}
const transferPermit = {
  struct: 'TokenPermissions',
  members: 'address token,uint256 amount',
  tokens: 'permitted',
  rest: 'uint256 nonce,uint256 deadline',
}

function readPermit2({ primaryType, layouts, message }: OtherTypedData): TokenPermit | undefined {
  const isTransfer = /^Permit(?:Batch)?(?:Witness)?TransferFrom$/.test(primaryType)
  if (!isTransfer && !/^Permit(?:Single|Batch)$/.test(primaryType)) return undefined
  const isMany = primaryType.startsWith('PermitBatch')
  const { struct, members, tokens, rest } = isTransfer ? transferPermit : allowancePermit
  const expected = `${struct}${isMany ? '[]' : ''} ${tokens},address spender,${rest}`
  const layout = layouts[primaryType] ?? ''
  const isExact = primaryType.includes('Witness') ? layout.startsWith(`${expected},`) : layout === expected
  if (!isExact || layouts[struct] !== members) return undefined
  const end = isTransfer ? 'deadline' : 'sigDeadline'
  const deadline = readUint(message[end], `message.${end}`)
  return {
    owner: undefined,
    spender: readAddress(message.spender, 'message.spender'),
    allowances: listOf(message[tokens], isMany).map(({ token, amount, expiration }) => ({
      token: readAddress(token, 'message.token'),
      amount: readUint(amount, 'message.amount'),
      // expiration 0 means: only in the block that submits the permit, which can be any block until the deadline
      until: isTransfer ? deadline : readUint(expiration, 'message.details') || deadline,
    })),
    deadline,
    isTransfer,
    isPermit2: true,
  }
}

/** Some tokens order or name the fields of ERC-2612 differently. */
const isErc2612 = (layout: string) =>
  layout
    .replace(/uint /g, 'uint256 ')
    .replace(/\b(?:rawAmount|amount)\b/, 'value')
    .replace('expiry', 'deadline')
    .split(',')
    .sort()
    .join() === 'address owner,address spender,uint256 deadline,uint256 nonce,uint256 value'

/** A user cannot review more tokens. */
const mostTokens = 50

function listOf(value: unknown, isMany: boolean): Record<string, unknown>[] {
  if (!isMany) return [checkRecord(value, 'message')]
  if (!Array.isArray(value) || value.length === 0)
    throw malformed('Malformed request: the permit must have a list of tokens.', 'message')
  if (value.length > mostTokens)
    throw malformed(`The permit is for ${value.length} tokens, more than a user can review.`, 'message')
  return value.map((one: unknown) => checkRecord(one, 'message'))
}

type JudgedPermit = Pick<DescribedCall, 'title' | 'lines' | 'findings' | 'grants'>

export function judgeTokenPermit(
  permit: TokenPermit,
  data: OtherTypedData,
  context: ReadContext,
): JudgedPermit {
  const { owner, spender, allowances, deadline, isTransfer, isPermit2 } = permit
  const place: Place = { chainId: data.domain.chainId, context }
  const now = unixSeconds(context.now)
  const judged = allowances.map((one) => {
    const isAll = isUnlimited(one.amount, one.token, place)
    return { ...one, isAll, shown: amountOf(isAll ? 'unlimited' : one.amount, one.token, place) }
  })
  const isAll = judged.some((one) => one.isAll)
  const findings: Finding[] = []
  const isRevocation = !isTransfer && judged.every(({ amount }) => amount === 0n)
  if (isRevocation)
    findings.push(finding('warning', 'ZERO_AMOUNT', 'The permit revokes an approval.', { field: 'message' }))
  else findings.push(...approvalFindings({ spender, isAll, field: 'message.spender' }, place))
  findings.push(...expiredFindings(deadline, now))
  if (isPermit2 && !sameHex(data.domain.verifyingContract, permit2))
    findings.push(
      finding('warning', 'UNPINNED_CONTRACT', 'The contract is not the official Permit2.', {
        field: 'domain.verifyingContract',
        fix: 'Sign it only if you know this contract.',
      }),
    )
  const ends = judged.map((one) => endOf(one.until, now))
  const last = ends.includes(undefined) ? undefined : greatest(0n, ...ends.filter((end) => end !== undefined))
  const values = {
    spender: namedAddress(spender, place),
    amount: { type: 'list', items: judged.map(({ shown }) => shown) } as const,
    end: timeValue(last, now),
  }
  const key = isAll ? 'allow' : isTransfer ? 'take' : 'allow.upTo'
  return {
    findings,
    grants: judged.map(({ token, amount, until, isAll: all }) => ({
      asset: token,
      amount: all ? 'unlimited' : amount,
      decimals: decimalsOf(token, place),
      from: owner ?? context.address ?? 'signer',
      to: spender,
      until: endOf(until, now),
    })),
    title: isRevocation
      ? revocation(spender, allowances, place)
      : sentence(`${key}.${last === undefined ? 'noEnd' : 'until'}`, values),
    lines: [
      line('spender', values.spender),
      ...judged.flatMap(({ token, shown }) => [
        ...(isPermit2 ? [line('token', namedAddress(token, place))] : []),
        line('most', shown),
      ]),
      line('until', timeValue(last, now)),
      ...(isTransfer ? witnessLines(data) : [line('submitUntil', timeValue(endOf(deadline, now), now))]),
    ],
  }
}

const expiredFindings = (deadline: bigint, now: bigint) =>
  deadline < now
    ? [finding('warning', 'EXPIRED', 'The permit has expired.', { field: 'message.deadline' })]
    : []

/** Returns lines for the witness, such as the receiver: the fields after the four that every transfer permit has. */
const witnessLines = ({ structs, ...data }: OtherTypedData) =>
  linesOf({ ...data, structs: { ...structs, [data.primaryType]: structs[data.primaryType]?.slice(4) ?? [] } })

/** A permit whose amounts are all zero revokes allowances. */
function revocation(spender: Address, allowances: readonly Allowance[], place: Place): InspectionSentence {
  const [first] = allowances
  const isAllUsdc = allowances.every(({ token }) => isUsdc(token, place))
  return sentence(isAllUsdc ? 'revoke.usdc' : 'revoke.token', {
    spender: namedAddress(spender, place),
    contract: addressValue(first?.token ?? spender),
  })
}

/** Describes a permit for one NFT (ERC-4494) or for all NFTs of a contract; `undefined` for other typed data. */
export function judgeNftPermit(data: OtherTypedData, context: ReadContext): JudgedPermit | undefined {
  const { message, domain, primaryType } = data
  const contract = domain.verifyingContract
  const layout = data.layouts[primaryType]
  const isOne =
    primaryType === 'Permit' && layout === 'address spender,uint256 tokenId,uint256 nonce,uint256 deadline'
  const isAll =
    layout?.replace(/^address owner,/, '') === 'address operator,bool approved,uint256 nonce,uint256 deadline'
  if (contract === undefined || !(isOne || isAll)) return undefined
  const place: Place = { chainId: domain.chainId, context }
  const spender = readAddress(isOne ? message.spender : message.operator, 'message')
  const deadline = readUint(message.deadline, 'message.deadline')
  const now = unixSeconds(context.now)
  const values = { spender: namedAddress(spender, place), contract: addressValue(contract) }
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
        ? [finding('warning', 'ZERO_AMOUNT', 'The permit revokes an approval.', { field: 'message' })]
        : approvalFindings({ spender, isAll, field: 'message' }, place)),
      ...expiredFindings(deadline, now),
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
