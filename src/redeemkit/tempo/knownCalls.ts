import type { Address, Hex } from 'viem'
import { utf8Text } from '../core/attempt.ts'
import type { InspectionLine, InspectionSentence, InspectionValue } from '../core/inspection/inspection.ts'
import {
  addressValue,
  dollarValue,
  line,
  textValue,
  timeValue,
  tokenValue,
} from '../core/inspection/values.ts'
import { hasInvisible, quote } from '../evm/findingTexts.ts'
import type { AbiParameter } from '../evm/revert/decodeValues.ts'
import { hexToBytes } from '../evm/viem.ts'
import { amountValue, contractValue, partValue, tempoSentence } from './network.ts'

/** Tokens or credits that a call moves, or lets another account move later, from the sender's view. */
export type TempoMovement = {
  /** Index of the call in the transaction. */
  call: number
  /** `allowance`: another account may move up to the amount later. `credits`: credits of a merchant, in US dollars. */
  what: 'token' | 'allowance' | 'credits'
  /** `in`: to the account; `out`: from the account; `other`: between other accounts, or from the account to itself. */
  direction: 'in' | 'out' | 'other'
  /** The token contract or the credits contract. */
  contract: Address
  /** Raw units; TIP-20 tokens and credits have 6 decimals. */
  amount: bigint
  from?: Address | undefined
  to?: Address | undefined
}

export type CallContext = {
  /** The sender of the transaction, if known. */
  account: Address | undefined
  chainId: number
  contract: Address
  /** Unix seconds. */
  now: bigint
}

type Said = {
  sentence: InspectionSentence
  /** Lines with full addresses and with facts that the sentence omits. */
  lines?: readonly InspectionLine[]
  movements?: readonly Omit<TempoMovement, 'call' | 'contract'>[]
  /** The finding for a call that lets another account spend, or gives a key control of the account. */
  finding?: 'DELEGATE_APPROVAL' | 'KEY_AUTHORIZATION' | undefined
}

type SaidInFull = Said & { lines: readonly InspectionLine[] }

type Describe = (values: readonly unknown[], context: CallContext) => SaidInFull

export type KnownCall = {
  of: 'token' | 'keychain' | 'fees' | 'credits'
  parameters: readonly AbiParameter[]
  describe: (values: readonly unknown[], context: CallContext) => Said
}

/** Above the supply of any token, so an allowance of this amount or more counts as unlimited. */
const unlimited = 1n << 127n

/** The functions of TIP-20 tokens, which include those of ERC-20, by selector. */
export const tokenCalls: Readonly<Record<string, KnownCall>> = {
  // transfer(address,uint256), transferWithMemo(address,uint256,bytes32)
  '0xa9059cbb': row('token', 'address uint256', send),
  '0x95777d59': row('token', 'address uint256 bytes32', withMemo(send)),
  // transferFrom(address,address,uint256), transferFromWithMemo(address,address,uint256,bytes32)
  '0x23b872dd': row('token', 'address address uint256', transfer),
  '0x929c2539': row('token', 'address address uint256 bytes32', withMemo(transfer)),
  // approve(address,uint256)
  '0x095ea7b3': row('token', 'address uint256', ([spender, amount], context) => ({
    ...approval('', spender, amount, context),
    movements: [allowance(undefined, spender, amount, context)],
  })),
  // permit(address,address,uint256,uint256,uint8,bytes32,bytes32)
  '0xd505accf': row(
    'token',
    'address address uint256 uint256',
    ([owner, spender, amount, deadline], context) => {
      const said =
        owner === context.account
          ? approval('.noEnd', spender, amount, context)
          : permitOfOther(owner, spender, amount, context)
      return {
        ...said,
        lines: [...said.lines, line('submitUntil', timeValue(deadline as bigint, context.now))],
        movements: [allowance(owner, spender, amount, context)],
      }
    },
  ),
  // mint(address,uint256), mintWithMemo(address,uint256,bytes32)
  '0x40c10f19': row('token', 'address uint256', mint),
  '0xe44f0b12': row('token', 'address uint256 bytes32', withMemo(mint)),
  // burn(uint256), burnWithMemo(uint256,bytes32)
  '0x42966c68': row('token', 'uint256', burn),
  '0x38f23b0b': row('token', 'uint256 bytes32', withMemo(burn)),
}

const authorization = row('keychain', 'address', ([key]) => describeKey('key.add', key, 'KEY_AUTHORIZATION'))

/** The functions of the account keychain by selector. Limits of an authorized key are not decoded: even a limited key is dangerous. */
export const keychainCalls: Readonly<Record<string, KnownCall>> = {
  // the three overloads of authorizeKey, and authorizeAdminKey
  '0x54063a55': authorization,
  '0x980a6025': authorization,
  '0xe3c154d2': authorization,
  '0x9a424307': authorization,
  // revokeKey(address)
  '0x5ae7ab32': row('keychain', 'address', ([key]) => describeKey('key.revoke', key)),
  // updateSpendingLimit(address,address,uint256)
  '0xcbbb4480': row('keychain', 'address address uint256', ([key, contract, amount], context) =>
    // the type above decodes it as an address
    spendingLimit(key, amount, { ...context, contract: contract as Address }),
  ),
  // setAllowedCalls, removeAllowedCalls
  '0xf5456703': row('keychain', 'address', ([key]) => describeKey('key.calls', key, 'DELEGATE_APPROVAL')),
  '0xf3941811': row('keychain', 'address', ([key]) => describeKey('key.calls', key, 'DELEGATE_APPROVAL')),
}

/** The functions of the fee manager by selector. */
export const feeManagerCalls: Readonly<Record<string, KnownCall>> = {
  // setUserToken(address)
  '0xe7897444': row('fees', 'address', ([contract], { chainId }) => {
    // the type above decodes it as an address
    const token = contractValue({ contract: contract as Address, chainId })
    return { sentence: tempoSentence('fee.token', { token }), lines: [line('token', token)] }
  }),
}

/** Wallet and credit seed: the first two fields of a permit. */
type Permit = [Address, string]

const permitParameter = tuple(typesOf('address string uint256 uint256 bytes32 bytes'))

/** The functions of the credits contract by selector (PROTOCOL.md 4). */
export const creditsCalls: Readonly<Record<string, KnownCall>> = {
  // redeem(RedeemRequest)
  '0x34c7e2e9': {
    of: 'credits',
    parameters: [
      tuple([
        permitParameter,
        tuple(typesOf('uint256 uint256 bytes32')),
        tuple([
          ...typesOf('uint8 address bytes address uint256'),
          tuple(typesOf('uint256 address bool uint256')),
        ]),
        tuple(typesOf('uint8 bytes')),
        ...typesOf('uint256'),
      ]),
    ],
    describe: ([request], context) => {
      // the parameters above decode it to these types
      const [permit, [amount, usdcAmount], [kind, target], , gasFee] = request as [
        Permit,
        [bigint, bigint],
        [bigint, Address],
        unknown,
        bigint,
      ]
      return redeem({ permit, amount, usdcAmount, kind, target, gasFee }, context)
    },
  },
  // redeemToken(Permit,uint256,uint256,bytes32,address)
  '0x13d3f130': {
    of: 'credits',
    parameters: [permitParameter, ...typesOf('uint256 uint256 bytes32 address')],
    describe: (values, context) => {
      // the parameters above decode it to these types
      const [permit, amount, gasFee, , target] = values as [Permit, bigint, bigint, Hex, Address]
      return redeem({ permit, amount, usdcAmount: 0n, kind: 0n, target, gasFee }, context)
    },
  },
  // redeemBatch(bytes[],uint256[])
  '0xdc38cd27': row('credits', '', () => ({ sentence: tempoSentence('redeem.batch') })),
  // cancelCreditsAuthorization(address,bytes32,bytes)
  '0xac897df7': row('credits', 'address bytes32', ([wallet, nonce]) => ({
    sentence: tempoSentence('cancel.permit'),
    lines: [line('wallet', address(wallet)), line('nonce', textValue(String(nonce)))],
  })),
  // mint(string,address,uint256), burn(string,address,uint256)
  '0x7e8816b9': row('credits', 'string address uint256', ([seed, wallet, amount], context) => ({
    sentence: tempoSentence('mint', {
      amount: partValue('credits.named', creditsOf(seed, amount)),
      to: address(wallet),
    }),
    lines: [line('receiver', address(wallet))],
    movements: [movement('credits', undefined, wallet, amount, context)],
  })),
  '0x4c07c9f7': row('credits', 'string address uint256', ([seed, wallet, amount], context) => ({
    sentence: tempoSentence('burn', { amount: ownedCredits(wallet, seed, amount, context) }),
    lines: [line('wallet', address(wallet))],
    movements: [movement('credits', wallet, undefined, amount, context)],
  })),
  // withdrawFees()
  '0x476343ee': row('credits', '', () => ({ sentence: tempoSentence('fees.withdraw') })),
}

// the values below come from `decodeValues`, which decoded them by the types in the row: address, bigint, hex or text

const address = (value: unknown): InspectionValue => addressValue(String(value))

function send(values: readonly unknown[], context: CallContext): SaidInFull {
  return transfer([undefined, ...values], context)
}

function transfer([from, to, value]: readonly unknown[], context: CallContext): SaidInFull {
  const [owner, amount] = [(from as Address | undefined) ?? context.account, value as bigint]
  const values = { amount: amountValue(amount, context), to: address(to) }
  const own = from === undefined || from === context.account
  const moved = movement('token', owner, to, amount, context)
  return {
    sentence: own
      ? tempoSentence('send', values)
      : tempoSentence('sendFrom', { ...values, from: address(from) }),
    lines: [...(own ? [] : [line('payer', address(from))]), line('receiver', values.to)],
    // a transfer without `from` is paid by the sender, even if the sender is unknown
    movements: [from === undefined && owner === undefined ? { ...moved, direction: 'out' } : moved],
  }
}

function mint([to, amount]: readonly unknown[], context: CallContext): SaidInFull {
  return {
    sentence: tempoSentence('mint', { amount: amountValue(amount as bigint, context), to: address(to) }),
    lines: [line('receiver', address(to))],
    movements: [movement('token', undefined, to, amount, context)],
  }
}

function burn([amount]: readonly unknown[], context: CallContext): SaidInFull {
  const burnt = movement('token', context.account, undefined, amount, context)
  return {
    sentence: tempoSentence('burn', { amount: amountValue(amount as bigint, context) }),
    lines: [],
    movements: [{ ...burnt, direction: 'out' }],
  }
}

/** Describes an approval by the account, or a permit that the account signed. */
function approval(end: '' | '.noEnd', to: unknown, value: unknown, context: CallContext): SaidInFull {
  const [spender, amount] = [address(to), value as bigint]
  const lines = [line('spender', spender)]
  if (amount === 0n)
    return { sentence: tempoSentence('revoke.token', { spender, contract: contractValue(context) }), lines }
  const key = amount < unlimited ? (`allow.upTo${end}` as const) : (`allow${end}` as const)
  const sentence = tempoSentence(key, { spender, amount: limitValue(amount, context) })
  return { sentence, lines, finding: 'DELEGATE_APPROVAL' }
}

function permitOfOther(from: unknown, to: unknown, value: unknown, context: CallContext): SaidInFull {
  const [owner, spender, amount] = [address(from), address(to), value as bigint]
  const key = amount === 0n ? 'permit.otherNone' : amount < unlimited ? 'permit.other' : 'permit.otherAll'
  return {
    sentence: tempoSentence(key, {
      owner,
      spender,
      amount: amountValue(amount, context),
      contract: contractValue(context),
    }),
    lines: [line('payer', owner), line('spender', spender)],
  }
}

function spendingLimit(of: unknown, value: unknown, context: CallContext): Said {
  const [key, amount] = [address(of), value as bigint]
  const lines = [line('signer', key), line('token', contractValue(context))]
  if (amount === 0n)
    return { sentence: tempoSentence('key.spendNone', { key, contract: contractValue(context) }), lines }
  const sentence = tempoSentence(amount < unlimited ? 'key.spendUpTo' : 'key.spend', {
    key,
    amount: limitValue(amount, context),
  })
  return { sentence, lines, finding: 'DELEGATE_APPROVAL' }
}

const limitValue = (amount: bigint, context: CallContext) =>
  amountValue(amount < unlimited ? amount : 'unlimited', context)

function describeKey(
  sentence: 'key.add' | 'key.calls' | 'key.revoke',
  key: unknown,
  finding?: Said['finding'],
): Said {
  return {
    sentence: tempoSentence(sentence, { key: address(key) }),
    lines: [line('signer', address(key))],
    finding,
  }
}

function redeem(
  { permit: [wallet, seed], amount, usdcAmount, kind, target, gasFee }: Redeem,
  context: CallContext,
): Said {
  const charged = amount - usdcAmount + gasFee
  const credit = ownedCredits(wallet, seed, charged, context)
  const sources: InspectionValue =
    usdcAmount === 0n ? credit : { type: 'list', items: [credit, tokenValue(usdcAmount, 'USDC')] }
  const values = { amount: dollarValue(amount), sources }
  return {
    sentence:
      kind === 0n
        ? tempoSentence('redeem.pay', { ...values, to: address(target) })
        : tempoSentence('redeem.call', { ...values, contract: address(target) }),
    lines: [line('wallet', address(wallet)), line(kind === 0n ? 'receiver' : 'called', address(target))],
    movements: [movement('credits', wallet, undefined, charged, context)],
  }
}

/** Returns an amount of credits with its owner for a sentence: `$2.03 of your "shop" credits`. */
function ownedCredits(wallet: unknown, seed: unknown, amount: unknown, { account }: CallContext) {
  return wallet === account
    ? partValue('credits.own', creditsOf(seed, amount))
    : partValue('credits.other', { ...creditsOf(seed, amount), wallet: address(wallet) })
}

const creditsOf = (seed: unknown, amount: unknown) => ({
  amount: dollarValue(amount as bigint),
  balance: textValue(quote(String(seed))),
})

type Redeem = {
  permit: Permit
  amount: bigint
  usdcAmount: bigint
  kind: bigint
  target: Address
  gasFee: bigint
}

function allowance(owner: unknown, spender: unknown, amount: unknown, context: CallContext) {
  return movement('allowance', owner ?? context.account, spender, amount, context)
}

function movement(
  what: TempoMovement['what'],
  from: unknown,
  to: unknown,
  amount: unknown,
  { account }: CallContext,
): Omit<TempoMovement, 'call' | 'contract'> {
  const known = account !== undefined && from !== to
  const direction = known && from === account ? 'out' : known && to === account ? 'in' : 'other'
  return {
    what,
    direction,
    amount: amount as bigint,
    ...(from !== undefined && { from: from as Address }),
    ...(to !== undefined && { to: to as Address }),
  }
}

/** Adds a line with the last value, a 32-byte memo: text that is padded with zeros on one side, or arbitrary bytes. */
function withMemo(describe: Describe): Describe {
  return (values, context) => {
    const said = describe(values, context)
    const digits = (values.at(-1) as Hex).slice(2).replace(/^(?:00)+|(?:00)+$/g, '')
    if (digits === '') return said
    const text = utf8Text(hexToBytes(`0x${digits}`))
    // bytes that are not UTF-8, and text with invisible characters, are shown as hex
    const shown = text === undefined || hasInvisible(text) ? `0x${digits}` : quote(text)
    return { ...said, lines: [...said.lines, line('memo', textValue(shown))] }
  }
}

function row(of: KnownCall['of'], types: string, describe: KnownCall['describe']): KnownCall {
  return { of, parameters: typesOf(types), describe }
}

function typesOf(types: string): readonly AbiParameter[] {
  return types === '' ? [] : types.split(' ').map((type) => ({ type }))
}

function tuple(components: readonly AbiParameter[]): AbiParameter {
  return { type: 'tuple', components }
}
