import type { Address, Hex } from 'viem'
import {
  type Finding,
  finding,
  type Grant,
  type InspectionKind,
  type Move,
} from '../../core/finding/finding.ts'
import { domainFindings } from '../creditPermit/inspectCreditPermit.ts'
import { type AbiParameter, decodeValues } from '../revert/decodeValues.ts'
import { readAddress } from './otherTypedData.ts'
import {
  addressText,
  approvalFindings,
  coinText,
  contractText,
  decimalsOf,
  isUnlimited,
  onChain,
  type Place,
  permit2,
  tokenText,
} from './tokenTexts.ts'

/** One call of a transaction, and the account that makes it. */
export type Call = { from: string; to: Address; data: Hex; value: bigint }

/** What a call does, in words that depend on whether it is refused. */
export type DescribedCall = {
  kind: InspectionKind
  text: (isRefused: boolean) => string
  findings: Finding[]
  moves: Move[]
  grants: Grant[]
}

type Reader = (values: readonly unknown[], call: Call, place: Place) => DescribedCall

/** The functions that are known, by selector, with their arguments. */
const functions: Readonly<Record<string, readonly [types: string, read: Reader]>> = {
  // ERC-20, and ERC-721 where the amount is the id
  '0xa9059cbb': [
    'address uint256',
    ([to, amount], call, place) => transfer(call.from, to, amount, call, place),
  ],
  '0x23b872dd': [
    'address address uint256',
    ([from, to, amount], call, place) => transfer(from, to, amount, call, place),
  ],
  '0x095ea7b3': [
    'address uint256',
    ([spender, amount], call, place) => approve(spender, amount, call, place),
  ],
  '0x39509351': [
    'address uint256',
    ([spender, amount], call, place) => approve(spender, amount, call, place),
  ],
  // Permit2
  '0x87517c45': [
    'address address uint160 uint48',
    ([token, spender, amount], call, place) =>
      call.to === permit2
        ? approve(spender, amount, { ...call, to: readAddress(token, 'data') }, place)
        : other(call, place),
  ],
  // ERC-721 and ERC-1155
  '0xa22cb465': ['address bool', ([operator, isOn], call, place) => approveAll(operator, isOn, call, place)],
  '0x42842e0e': [
    'address address uint256',
    ([from, to, id], call, place) => sendNft(from, to, id, call, place),
  ],
  '0xb88d4fde': [
    'address address uint256 bytes',
    ([from, to, id], call, place) => sendNft(from, to, id, call, place),
  ],
  '0xf242432a': [
    'address address uint256 uint256 bytes',
    ([from, to, id, amount], call, place) => sendNft(from, to, id, call, place, amount),
  ],
  '0x2eb2c2d6': [
    'address address uint256[] uint256[] bytes',
    ([from, to, ids], call, place) => sendNft(from, to, ids, call, place),
  ],
  // cancelCreditsAuthorization
  '0xac897df7': [
    'address bytes32 bytes',
    ([wallet, nonce], call, place) => cancel(wallet, nonce, call, place),
  ],
}

/** Describes a call. */
export function describeCall(call: Call, place: Place): DescribedCall {
  const { data, value } = call
  if (data === '0x') return coin(call, place)
  const known = functions[data.slice(0, 10).toLowerCase()]
  const described = known === undefined ? other(call, place) : knownCall(call, place, known)
  if (value === 0n) return described
  const sent = coin(call, place)
  return {
    ...described,
    text: (isRefused) =>
      `${described.text(isRefused)} Also sends ${coinText(value, place)} to that contract.`,
    moves: [...described.moves, ...sent.moves],
  }
}

function knownCall(call: Call, place: Place, [types, read]: readonly [string, Reader]): DescribedCall {
  let values: unknown[]
  try {
    values = decodeValues(
      types.split(' ').map((type): AbiParameter => ({ type })),
      call.data.slice(10),
    )
  } catch {
    return plain(
      () => `Calls ${call.to}${onChain(place)} with arguments that are not exactly encoded.`,
      [
        finding('danger', 'MALFORMED', 'The arguments of the call are not exactly encoded.', {
          field: 'data',
          fix: 'Do not sign it: contracts differ in what they read.',
        }),
      ],
    )
  }
  return read(values, call, place)
}

function coin({ from, to, value }: Call, place: Place): DescribedCall {
  return {
    ...plain(
      (isRefused) =>
        `Sends ${coinText(value, place)} to ${addressText(to, place.options, isRefused)}${onChain(place)}.`,
      [notCompared('It was compared with no payment.', 'value')],
    ),
    moves: value === 0n ? [] : [{ direction: 'out', asset: 'native', amount: value, decimals: 18, from, to }],
  }
}

function other({ to, data }: Call, place: Place): DescribedCall {
  return plain(
    (isRefused) =>
      `Calls the contract ${addressText(to, place.options, isRefused)} (${data.slice(0, 10)})${onChain(place)}. What this does is not known here.`,
    [
      finding('warning', 'UNKNOWN_REQUEST', `The function ${data.slice(0, 10)} is not known here.`, {
        field: 'data',
        fix: 'Sign it only if you know from another source what it does.',
      }),
    ],
  )
}

function transfer(from: unknown, to: unknown, amount: unknown, call: Call, place: Place): DescribedCall {
  const [payer, receiver, value] = [String(from), String(to), BigInt(String(amount))]
  const own = payer.toLowerCase() === call.from.toLowerCase()
  const origin = (isRefused: boolean) => (own ? '' : ` from ${addressText(payer, place.options, isRefused)}`)
  return {
    ...plain(
      (isRefused) =>
        withContract(
          `Sends ${tokenText(value, call.to, place, call.data.startsWith('0x23b872dd'))}${origin(isRefused)} to ${addressText(receiver, place.options, isRefused)}`,
          call.to,
          place,
        ),
      [notCompared('It was compared with no payment.', 'data')],
    ),
    moves: [
      {
        direction: own ? 'out' : receiver.toLowerCase() === call.from.toLowerCase() ? 'in' : 'other',
        asset: call.to,
        amount: value,
        decimals: decimalsOf(call.to, place),
        from: payer,
        to: receiver,
      },
    ],
  }
}

function approve(to: unknown, amount: unknown, call: Call, place: Place): DescribedCall {
  const [spender, value] = [String(to), BigInt(String(amount))]
  const { options } = place
  const isAll = isUnlimited(value, call.to, place)
  if (value === 0n)
    return plain(
      (isRefused) =>
        withContract(
          `Takes away the right of ${addressText(spender, options, isRefused)} to spend ${decimalsOf(call.to, place) === undefined ? `tokens of the contract ${call.to}` : 'your USDC'}`,
          call.to,
          place,
        ),
      [notCompared('It was compared with nothing.', 'data')],
    )
  const what = isAll
    ? tokenText('unlimited', call.to, place)
    : `up to ${tokenText(value, call.to, place, true)}`
  return {
    ...plain(
      (isRefused) =>
        withContract(
          `Lets ${addressText(spender, options, isRefused)} spend ${what}`,
          call.to,
          place,
          isAll ? ', with no time limit' : '',
        ),
      approvalFindings({ spender, isAll, field: 'data' }, options),
    ),
    grants: [
      {
        asset: call.to,
        amount: isAll ? 'unlimited' : value,
        decimals: decimalsOf(call.to, place),
        from: call.from,
        to: spender,
        until: undefined,
      },
    ],
  }
}

function approveAll(to: unknown, isOn: unknown, call: Call, place: Place): DescribedCall {
  const operator = String(to)
  const { options } = place
  if (isOn === false)
    return plain(
      (isRefused) =>
        `Takes away the right of ${addressText(operator, options, isRefused)} to move your NFTs of the contract ${call.to}${onChain(place)}.`,
      [notCompared('It was compared with nothing.', 'data')],
    )
  return {
    ...plain(
      (isRefused) =>
        `Lets ${addressText(operator, options, isRefused)} take all of your NFTs of the contract ${call.to}${onChain(place)}, with no time limit.`,
      approvalFindings({ spender: operator, isAll: true, field: 'data' }, options),
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

function sendNft(
  from: unknown,
  to: unknown,
  id: unknown,
  call: Call,
  place: Place,
  amount: unknown = 1n,
): DescribedCall {
  const { options } = place
  const own = String(from).toLowerCase() === call.from.toLowerCase()
  const ids = (Array.isArray(id) ? id : [id]).map(String)
  const shown = ids.length > 5 ? `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more` : ids.join(', ')
  return plain(
    (isRefused) =>
      `Sends ${amount === 1n ? '' : `${amount} of `}NFT ${shown} of the contract ${call.to}${own ? '' : ` from ${addressText(String(from), options, isRefused)}`} to ${addressText(String(to), options, isRefused)}${onChain(place)}.`,
    [notCompared('It was compared with no payment.', 'data')],
  )
}

function cancel(wallet: unknown, nonce: unknown, call: Call, place: Place): DescribedCall {
  const { chainId = 0, options } = place
  const { domainName: name = 'Credits', domainVersion: version = '1' } = options.pinned ?? {}
  return {
    ...plain(
      (isRefused) =>
        `Cancels the credit permit of ${addressText(String(wallet), options, isRefused)} with nonce ${String(nonce).slice(0, 10)}… at the contract ${call.to}${onChain(place)}. This cannot be undone.`,
      // the chain was compared with the transaction's
      domainFindings({ name, version, chainId, verifyingContract: call.to }, options).filter(
        ({ code }) => code === 'UNPINNED_CONTRACT',
      ),
    ),
    kind: 'creditPermitCancel',
  }
}

function plain(text: DescribedCall['text'], findings: Finding[]): DescribedCall {
  return { kind: 'transaction', text, findings, moves: [], grants: [] }
}

function notCompared(message: string, field: string) {
  return finding('warning', 'NOT_COMPARED', message, { field, fix: 'Sign it only if you want this effect.' })
}

/** Ends a sentence with the chain, or with a sentence about the contract of USDC. */
function withContract(sentence: string, token: string, place: Place, end = ''): string {
  const contract = contractText([token], place)
  return contract === '' ? `${sentence}${onChain(place)}${end}.` : `${sentence}${end}.${contract}`
}
