import type { Hex } from 'viem'
import { attempt } from '../../core/attempt.ts'
import { unixSeconds } from '../../core/clock.ts'
import { type Finding, finding, type Move } from '../../core/finding/finding.ts'
import type { InspectionLine, InspectionSentence } from '../../core/inspection/inspection.ts'
import {
  addressValue,
  dangersOf,
  joinSentences,
  line,
  sentence,
  sentenceValue,
  textValue,
  timeValue,
} from '../../core/inspection/values.ts'
import { zeroAddress } from '../checkAddress.ts'
import { contractFindings } from '../creditPermit/inspectCreditPermit.ts'
import type { Call, DescribedCall } from '../creditPermit/inspectOptions.ts'
import { pinFor } from '../creditPermit/pinFor.ts'
import { originFindings, pinChainFindings } from '../creditPermit/purchase.ts'
import { permit2 } from '../findingTexts.ts'
import { decodeValues } from '../revert/decodeValues.ts'
import { sameHex, uint256Max } from '../values.ts'
import { callsSentence } from './callsSentence.ts'
import { readAddress } from './otherTypedData.ts'
import {
  amountOf,
  approvalFindings,
  coinValue,
  decimalsOf,
  endOf,
  isUnlimited,
  isUsdc,
  namedAddress,
  type Place,
} from './tokenTexts.ts'

type Values = readonly unknown[]
type Reader = (values: Values, call: Call, place: Place) => DescribedCall

/** The known functions by selector, with the types of their arguments. */
const functions: Readonly<Record<string, readonly [types: string, read: Reader]>> = {
  // transfer, transferFrom, approve of ERC-20; in ERC-721 the amount is the token id
  '0xa9059cbb': ['address uint256', send],
  '0x23b872dd': ['address address uint256', transfer],
  '0x095ea7b3': ['address uint256', approve],
  // transferAndCall of ERC-677 and of ERC-1363, and send of ERC-777; their further arguments are ignored
  '0x4000aea0': ['address uint256', send],
  '0x1296ee62': ['address uint256', send],
  '0x9bd9bbc6': ['address uint256', send],
  // approveAndCall, including that of ERC-1363
  '0xcae9ca51': ['address uint256', allow],
  '0x3177029f': ['address uint256', allow],
  // increaseAllowance, increaseApproval
  '0x39509351': ['address uint256', allowMore],
  '0xd73dd623': ['address uint256', allowMore],
  // authorizeOperator of ERC-777, setOperator of ERC-6909
  '0x959b8c3f': ['address', setOperator],
  '0x558a7297': ['address bool', setOperator],
  // approve(address,address,uint160,uint48) of Permit2
  '0x87517c45': ['address address uint160 uint48', approveAtPermit2],
  // setApprovalForAll, safeTransferFrom and safeBatchTransferFrom of ERC-721 and ERC-1155
  '0xa22cb465': ['address bool', approveAll],
  '0x42842e0e': ['address address uint256', sendNft],
  '0xb88d4fde': ['address address uint256 bytes', (values, ...rest) => sendNft(values.slice(0, 3), ...rest)],
  '0xf242432a': ['address address uint256 uint256 bytes', sendNft],
  '0x2eb2c2d6': ['address address uint256[] uint256[] bytes', sendNft],
  // cancelCreditsAuthorization
  '0xac897df7': ['address bytes32 bytes', cancel],
}

export function describeCall(call: Call, place: Place): DescribedCall {
  const { data, to, value } = call
  if (data === '0x') return coin(call, place)
  const known = functions[data.slice(0, 10).toLowerCase()]
  const described =
    known === undefined
      ? (place.context.describeOwn?.(call, place.chainId ?? 0) ??
        multicall(call, place) ??
        other(call, place))
      : knownCall(call, place, known)
  const lines = [...described.lines, line('contract', namedAddress(to, place))]
  // the contract may keep the coins, no matter what the function is called, so the title states the coins first
  const title =
    value === 0n || dangersOf(described.findings).length > 0
      ? described.title
      : joinSentences(coin(call, place).title, [described.title])
  return withCoins({ ...described, title, lines }, call, place)
}

export function withCoins(
  described: DescribedCall,
  { from, to, value }: Pick<Move, 'from' | 'to'> & Pick<Call, 'value'>,
  place: Place,
): DescribedCall {
  if (value === 0n) return described
  const { lines, moves } = described
  return {
    ...described,
    lines: [...lines, line('coin', coinValue(value, place))],
    moves: [...moves, { direction: 'out', asset: 'native', amount: value, decimals: 18, from, to }],
  }
}

function knownCall(call: Call, place: Place, [types, read]: readonly [string, Reader]): DescribedCall {
  const parameters = types.split(' ').map((type) => ({ type }))
  const values = attempt(() => decodeValues(parameters, call.data.slice(10)))
  if (values === undefined)
    return plain(sentence('call.malformed', { contract: namedAddress(call.to, place) }), [
      finding('danger', 'MALFORMED', 'The arguments of the call are malformed.', {
        field: 'data',
        fix: 'Do not sign it: contracts differ in how they read such arguments.',
      }),
    ])
  return read(values, call, place)
}

function coin({ from, to, value }: Call, place: Place): DescribedCall {
  const receiver = namedAddress(to, place)
  return {
    ...plain(
      sentence('send', { amount: coinValue(value, place), to: receiver }),
      [notCompared('The call was not compared with an expected payment.', 'value')],
      [line('receiver', receiver)],
    ),
    moves: value === 0n ? [] : [{ direction: 'out', asset: 'native', amount: value, decimals: 18, from, to }],
  }
}

/** The types of the functions `multicall`, with which an account calls several functions of one contract at once. */
const multicalls: Readonly<Record<string, readonly string[]>> = {
  '0xac9650d8': ['bytes[]'],
  '0x5ae401dc': ['uint256', 'bytes[]'],
  '0x1f0464d1': ['bytes32', 'bytes[]'],
}

/** Describes the calls inside a `multicall`, dangerous calls first. Returns `undefined` if no effect of them is known. */
function multicall(call: Call, place: Place): DescribedCall | undefined {
  const types = multicalls[call.data.slice(0, 10).toLowerCase()]
  // the functions of an account that calls itself are not those of a token
  if (types === undefined || sameHex(call.to, call.from)) return undefined
  const datas = attempt(() =>
    decodeValues(
      types.map((type) => ({ type })),
      call.data.slice(10),
    ).at(-1),
  ) as
    | Hex[] // the types above
    | undefined
  // a multicall in another one counts as unknown, so that no request can nest them thousands of times
  const calls = (datas ?? []).map((data) =>
    data.slice(0, 10).toLowerCase() in multicalls
      ? other({ ...call, data }, place)
      : describeCall({ ...call, data, value: 0n }, place),
  )
  const isBad = ({ findings }: DescribedCall) => dangersOf(findings).length > 0
  const known = calls.filter((one) => one.moves.length + one.grants.length > 0 || isBad(one))
  if (known.length === 0) return undefined
  const [bad, rest] = [known.filter(isBad), known.filter((one) => !isBad(one))]
  const unread = calls.find(({ title }) => title.key === 'call.unknown')
  const named = [...bad, ...rest, ...(unread === undefined ? [] : [unread])].map(({ title }) => title)
  // the title of more than three calls has a total, so that a few harmless calls cannot hide a large one
  const others = calls.filter((one) => !isBad(one))
  const [title, ...also] =
    known.length <= 3
      ? named
      : [
          ...bad.slice(0, 3).map((one) => one.title),
          ...(others.length === 0
            ? []
            : [callsSentence(others, () => place, { account: call.from, isOneChain: true })]),
        ]
  return {
    kind: 'transaction',
    title: joinSentences(title as InspectionSentence, also), // `known` has at least one call
    lines: calls.flatMap((one) => [line('call', sentenceValue(one.title)), ...one.lines]),
    findings: calls.flatMap(({ findings }) => findings),
    moves: calls.flatMap(({ moves }) => moves),
    grants: calls.flatMap(({ grants }) => grants),
  }
}

function other(call: Call, place: Place): DescribedCall {
  const selector = call.data.slice(0, 10)
  // a smart account (a Safe, or an account with an EIP-7702 delegation) that calls itself can change its settings or make any call
  const title = sentence(sameHex(call.to, call.from) ? 'call.delegate' : 'call.unknown', {
    contract: namedAddress(call.to, place),
    selector: textValue(selector),
  })
  return plain(title, [
    finding('warning', 'UNKNOWN_REQUEST', `The function ${selector} is unknown.`, {
      field: 'data',
      fix: 'Sign it only if you know what it does.',
    }),
  ])
}

function send(values: Values, call: Call, place: Place): DescribedCall {
  return transfer([call.from, ...values], call, place)
}

function transfer([from, to, amount]: Values, call: Call, place: Place): DescribedCall {
  const [payer, receiver, value] = [String(from), String(to), BigInt(String(amount))]
  const own = sameHex(payer, call.from)
  const values = { amount: amountOf(value, call.to, place), to: namedAddress(receiver, place) }
  const decimals = decimalsOf(call.to, place)
  const mayBeNft = decimals === undefined && call.data.startsWith('0x23b872dd')
  return {
    ...plain(
      own ? sentence('send', values) : sentence('sendFrom', { ...values, from: namedAddress(payer, place) }),
      [notCompared('The call was not compared with an expected payment.', 'data')],
      [
        ...(own ? [] : [line('payer', namedAddress(payer, place))]),
        line('receiver', values.to),
        ...(mayBeNft ? [nftNote] : []),
      ],
    ),
    moves: [moveOf({ amount: value, decimals, from: payer, to: receiver }, call)],
  }
}

function moveOf(move: Pick<Move, 'amount' | 'decimals' | 'from' | 'to'>, { from, to }: Call): Move {
  const isOwn = (address: string) => sameHex(address, from)
  return { direction: isOwn(move.from) ? 'out' : isOwn(move.to) ? 'in' : 'other', asset: to, ...move }
}

const nftNote = line('note', sentenceValue(sentence('note.nft')))

/** Describes `approve`: an allowance (ERC-20), or the approval of one NFT (ERC-721). */
function approve([to, amount]: Values, call: Call, place: Place): DescribedCall {
  const said = allow([to, amount], call, place)
  if (decimalsOf(call.to, place) !== undefined) return said
  if (to === zeroAddress)
    return plain(sentence('revoke.nft', { id: textValue(`${amount}`), contract: addressValue(call.to) }), [
      notCompared('The call was not compared with an expected call.', 'data'),
    ])
  if (said.grants[0]?.amount === 'unlimited') return said
  return { ...said, lines: [...said.lines, amount === 0n ? firstNftNote : nftNote] }
}

const firstNftNote = line('note', sentenceValue(sentence('note.firstNft')))

function approveAtPermit2([token, to, amount, end]: Values, call: Call, place: Place): DescribedCall {
  if (call.to !== permit2) return other(call, place)
  const contract = readAddress(token, 'data')
  const now = unixSeconds(place.context.now)
  // expiration 0 means: only in the block that has the call
  const until = end === 0n ? undefined : endOf(BigInt(String(end)), now)
  const said = allow([to, amount], { ...call, to: contract }, place)
  return {
    ...said,
    lines: [
      ...said.lines,
      line('token', namedAddress(contract, place)),
      ...(end === 0n ? [] : [line('until', timeValue(until, now))]),
    ],
    grants: said.grants.map((grant) => ({ ...grant, until })),
  }
}

function allowMore(values: Values, call: Call, place: Place): DescribedCall {
  return allow(values, call, place, 'allow.more')
}

function setOperator([operator, isOn]: Values, call: Call, place: Place): DescribedCall {
  return allow([operator, isOn === false ? 0n : uint256Max], call, place)
}

function allow(
  [to, amount]: Values,
  call: Call,
  place: Place,
  key: 'allow.upTo' | 'allow.more' = 'allow.upTo',
): DescribedCall {
  const [spender, value] = [String(to), BigInt(String(amount))]
  const isAll = isUnlimited(value, call.to, place)
  const values = { spender: namedAddress(spender, place), contract: addressValue(call.to) }
  const lines = [line('spender', values.spender)]
  if (value === 0n && key === 'allow.upTo')
    return plain(
      sentence(isUsdc(call.to, place) ? 'revoke.usdc' : 'revoke.token', values),
      [notCompared('The call was not compared with an expected call.', 'data')],
      lines,
    )
  const granted = isAll ? 'unlimited' : value
  const decimals = decimalsOf(call.to, place)
  return {
    ...plain(
      sentence(isAll ? 'allow' : key, { ...values, amount: amountOf(granted, call.to, place) }),
      approvalFindings({ spender, isAll, field: 'data' }, place),
      lines,
    ),
    grants: [{ asset: call.to, amount: granted, decimals, from: call.from, to: spender, until: undefined }],
  }
}

function approveAll([to, isOn]: Values, call: Call, place: Place): DescribedCall {
  const operator = String(to)
  const values = { spender: namedAddress(operator, place), contract: addressValue(call.to) }
  const lines = [line('spender', values.spender)]
  if (isOn === false)
    return plain(
      sentence('revoke.nfts', values),
      [notCompared('The call was not compared with an expected call.', 'data')],
      lines,
    )
  return {
    ...plain(
      sentence('allow.nfts', values),
      approvalFindings({ spender: operator, isAll: true, field: 'data' }, place),
      lines,
    ),
    grants: [
      {
        asset: call.to,
        amount: 'unlimited',
        decimals: undefined,
        from: call.from,
        to: operator,
        until: undefined,
      },
    ],
  }
}

function sendNft([from, to, id, amount = 1n]: Values, call: Call, place: Place): DescribedCall {
  const own = sameHex(String(from), call.from)
  const ids: unknown[] = Array.isArray(id) ? id : [id]
  const amounts: unknown[] = Array.isArray(amount) ? amount : [amount]
  if (ids.length === 0 || ids.length !== amounts.length) return other(call, place)
  const all = ids.map((one, index) => (amounts[index] === 1n ? `${one}` : `${one} × ${amounts[index]}`))
  const isLong = all.length > 5
  const shown = isLong ? `${all.slice(0, 5).join(', ')}, …` : all.join(', ')
  const values = {
    id: textValue(shown),
    contract: addressValue(call.to),
    to: namedAddress(String(to), place),
  }
  const payer = namedAddress(String(from), place)
  const move = { decimals: undefined, from: String(from), to: String(to) }
  return {
    ...plain(
      own ? sentence('send.nft', values) : sentence('sendFrom.nft', { ...values, from: payer }),
      [notCompared('The call was not compared with an expected payment.', 'data')],
      [
        ...(own ? [] : [line('payer', payer)]),
        line('receiver', values.to),
        ...(isLong ? [line('nft', textValue(all.join(', ')))] : []),
      ],
    ),
    moves: amounts.map((one) => moveOf({ ...move, amount: BigInt(String(one)) }, call)),
  }
}

function cancel([wallet, nonce]: Values, call: Call, place: Place): DescribedCall {
  const { chainId, context } = place
  const terms = pinFor(context, { chainId, contract: call.to })
  return {
    ...plain(
      sentence('cancel.permit'),
      [
        ...contractFindings(call.to, terms, 'to'),
        ...pinChainFindings(chainId, { pin: terms.pin, field: 'chainId' }),
        ...(terms.pin === undefined ? [] : originFindings(terms)),
        ...(call.value === 0n
          ? []
          : [notCompared('The call sends coins; a cancellation needs none.', 'value')]),
        ...(sameHex(String(wallet), call.from)
          ? []
          : [notCompared('The call cancels a permit of another wallet.', 'data')]),
      ],
      [line('wallet', namedAddress(String(wallet), place)), line('nonce', textValue(String(nonce)))],
    ),
    kind: 'creditPermitCancel',
  }
}

export function plain(
  title: InspectionSentence,
  findings: Finding[],
  lines: InspectionLine[] = [],
): DescribedCall {
  return { kind: 'transaction', title, lines, findings, moves: [], grants: [] }
}

function notCompared(message: string, field: string) {
  return finding('warning', 'NOT_COMPARED', message, { field, fix: 'Sign it only if you want this effect.' })
}
