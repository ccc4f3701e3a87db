import type { Address, Hex } from 'viem'
import { formatAmount } from '../../core/amount/formatAmount.ts'
import { dollars, hasInvisible, quote, until } from '../../evm/findingTexts.ts'
import type { AbiParameter } from '../../evm/revert/decodeValues.ts'
import { hexToBytes } from '../../evm/viem.ts'
import { isTip20, tempoTokenName } from '../network.ts'

/** Tokens that a call moves, or permits another account to move later, from the sender's point of view. */
export type TempoMovement = {
  /** Place of the call in the transaction. */
  call: number
  /** `allowance` moves nothing yet: another account may, up to the amount. `credits` are a merchant's, in US dollars. */
  what: 'token' | 'allowance' | 'credits'
  /** `in` to the account, `out` of it, `other` between others or to itself. */
  direction: 'in' | 'out' | 'other'
  /** Of the token, or of the credits. */
  contract: Address
  /** Raw units; TIP-20 tokens and credits have 6 decimals. */
  amount: bigint
  from?: Address | undefined
  to?: Address | undefined
}

/** Account, chain and time for which a call is described. */
export type CallContext = {
  /** Who sends the transaction, when it is known. */
  account: Address | undefined
  chainId: number
  /** The contract that is called. */
  contract: Address
  /** Unix seconds. */
  now: bigint
}

type Said = {
  text: string
  movements?: readonly Omit<TempoMovement, 'call' | 'contract'>[]
  /** It permits another account to spend. */
  warning?: string | undefined
  /** It gives a key power over the account. */
  danger?: string | undefined
}

/** A function that is known, with how its arguments are read and told. */
export type KnownCall = {
  of: 'token' | 'keychain' | 'fees' | 'credits'
  parameters: readonly AbiParameter[]
  describe: (values: readonly unknown[], context: CallContext) => Said
}

/** More than any token has: an allowance of so much has no limit. */
const unlimited = 1n << 127n

/** Functions of TIP-20 tokens, and those of ERC-20 among them. */
export const tokenCalls: Readonly<Record<string, KnownCall>> = {
  // transfer(address,uint256), transferWithMemo(address,uint256,bytes32)
  '0xa9059cbb': token('address uint256', ([to, amount], context) => transfer(undefined, to, amount, context)),
  '0x95777d59': token('address uint256 bytes32', ([to, amount, memo], context) =>
    withMemo(transfer(undefined, to, amount, context), memo),
  ),
  // transferFrom(address,address,uint256), transferFromWithMemo(address,address,uint256,bytes32)
  '0x23b872dd': token('address address uint256', ([from, to, amount], context) =>
    transfer(from, to, amount, context),
  ),
  '0x929c2539': token('address address uint256 bytes32', ([from, to, amount, memo], context) =>
    withMemo(transfer(from, to, amount, context), memo),
  ),
  // approve(address,uint256)
  '0x095ea7b3': token('address uint256', ([spender, amount], context) => {
    const text = `lets ${spender} spend ${upTo(amount as bigint, context)}`
    return {
      text,
      movements: [allowance(undefined, spender, amount, context)],
      warning: warningOf(text, amount),
    }
  }),
  // permit(address,address,uint256,uint256,uint8,bytes32,bytes32)
  '0xd505accf': token('address address uint256 uint256', ([owner, spender, amount, deadline], context) => {
    const mine = owner === context.account
    const text = `hands in a permit, good ${until(deadline as bigint, context.now)}, by which ${mine ? 'it' : owner} lets ${nameOf(spender, context)} spend ${upTo(amount as bigint, context)}`
    const movements = [allowance(owner, spender, amount, context)]
    return { text, movements, warning: mine ? warningOf(text, amount) : undefined }
  }),
  // mint(address,uint256), mintWithMemo(address,uint256,bytes32)
  '0x40c10f19': token('address uint256', ([to, amount], context) => mint(to, amount, context)),
  '0xe44f0b12': token('address uint256 bytes32', ([to, amount, memo], context) =>
    withMemo(mint(to, amount, context), memo),
  ),
  // burn(uint256), burnWithMemo(uint256,bytes32)
  '0x42966c68': token('uint256', ([amount], context) => burn(amount, context)),
  '0x38f23b0b': token('uint256 bytes32', ([amount, memo], context) => withMemo(burn(amount, context), memo)),
}

/** Functions of the account keychain. Of an authorization only the key is read: it is dangerous even with limits. */
export const keychainCalls: Readonly<Record<string, KnownCall>> = {
  // authorizeKey, in its three forms, and authorizeAdminKey
  '0x54063a55': authorization(),
  '0x980a6025': authorization(),
  '0xe3c154d2': authorization(),
  '0x9a424307': authorization(),
  // revokeKey(address)
  '0x5ae7ab32': keychain('address', ([key]) => ({
    text: `takes the power of the access key ${key} back, for good`,
  })),
  // updateSpendingLimit(address,address,uint256)
  '0xcbbb4480': keychain('address address uint256', ([key, contract, amount], context) => {
    // decoded as an address and a number
    const text = `lets the access key ${key} spend ${upTo(amount as bigint, { ...context, contract: contract as Address })}`
    return { text, warning: warningOf(text, amount) }
  }),
  // setAllowedCalls, removeAllowedCalls
  '0xf5456703': scope(),
  '0xf3941811': scope(),
}

/** Functions of the fee manager. */
export const feeManagerCalls: Readonly<Record<string, KnownCall>> = {
  // setUserToken(address)
  '0xe7897444': {
    of: 'fees',
    parameters: typesOf('address'),
    // decoded as an address
    describe: ([contract], { chainId }) => ({
      text: `chooses ${tempoTokenName(contract as Address, chainId).replace(/^of /, '')} to pay its fees with`,
    }),
  },
}

/** Wallet and credit seed: the first two fields of a permit. */
type Permit = [Address, string]

const permitParameter = tuple(typesOf('address string uint256 uint256 bytes32 bytes'))

/** Functions of the credits contract (PROTOCOL.md 4). */
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
      // decoded with the parameters above
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
      // decoded with the parameters above
      const [permit, amount, gasFee, , target] = values as [Permit, bigint, bigint, Hex, Address]
      return redeem({ permit, amount, usdcAmount: 0n, kind: 0n, target, gasFee }, context)
    },
  },
  // redeemBatch(bytes[],uint256[])
  '0xdc38cd27': credits('', () => ({ text: 'relays several redeems, each signed by its own customer' })),
  // cancelCreditsAuthorization(address,bytes32,bytes)
  '0xac897df7': credits('address bytes32', ([wallet, nonce], { account }) => ({
    text: `permanently cancels ${wallet === account ? 'its own' : `${wallet}'s`} credit permit with nonce ${String(nonce).slice(0, 10)}…`,
  })),
  // mint(string,address,uint256), burn(string,address,uint256)
  '0x7e8816b9': credits('string address uint256', ([seed, wallet, amount], context) => ({
    text: `mints ${dollars(amount as bigint)} of credits ${quote(seed as string)} for ${nameOf(wallet, context)}`,
    movements: [movement('credits', undefined, wallet, amount, context)],
  })),
  '0x4c07c9f7': credits('string address uint256', ([seed, wallet, amount], context) => ({
    text: `burns ${dollars(amount as bigint)} of credits ${quote(seed as string)} of ${nameOf(wallet, context)}`,
    movements: [movement('credits', wallet, undefined, amount, context)],
  })),
  // withdrawFees()
  '0x476343ee': credits('', () => ({ text: "pays the contract's fees out to its fee recipient" })),
}

// The values below come from `decodeValues`, which gave each the type that the row names: address, bigint, hex or text.

function transfer(from: unknown, to: unknown, value: unknown, context: CallContext): Said {
  const [owner, amount] = [(from as Address | undefined) ?? context.account, value as bigint]
  const much = howMuch(amount, context)
  const own = from === undefined || from === context.account
  const text = own
    ? `pays ${much} to ${nameOf(to, context)}`
    : to === context.account
      ? `takes ${much} from ${from}`
      : `moves ${much} from ${from} to ${to}`
  const moved = movement('token', owner, to, amount, context)
  // The sender pays, even if it is not named.
  return {
    text,
    movements: [from === undefined && owner === undefined ? { ...moved, direction: 'out' } : moved],
  }
}

function mint(to: unknown, amount: unknown, context: CallContext): Said {
  return {
    text: `mints ${howMuch(amount as bigint, context)} for ${nameOf(to, context)}`,
    movements: [movement('token', undefined, to, amount, context)],
  }
}

function burn(amount: unknown, context: CallContext): Said {
  const burnt = movement('token', context.account, undefined, amount, context)
  return {
    text: `burns ${howMuch(amount as bigint, context)} of its own`,
    movements: [{ ...burnt, direction: 'out' }],
  }
}

function redeem(
  { permit: [wallet, seed], amount, usdcAmount, kind, target, gasFee }: Redeem,
  context: CallContext,
): Said {
  const charged = amount - usdcAmount + gasFee
  const whose = wallet === context.account ? 'its own' : `${wallet}'s`
  const what =
    kind === 0n
      ? `to pay ${dollars(amount)} to ${nameOf(target, context)}`
      : `to call ${target} with up to ${dollars(amount)}`
  const rest = usdcAmount === 0n ? '' : `, and ${dollars(usdcAmount, 'USDC')} by authorization,`
  return {
    text: `redeems ${dollars(charged)} of ${whose} credits ${quote(seed)}${rest} ${what}`,
    movements: [movement('credits', wallet, undefined, charged, context)],
  }
}

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
    ...(from === undefined ? {} : { from: from as Address }),
    ...(to === undefined ? {} : { to: to as Address }),
  }
}

/** A memo is 32 bytes: text, filled up with zeros on one of its sides, or anything else. */
function withMemo(said: Said, memo: unknown): Said {
  const digits = (memo as Hex).slice(2).replace(/^(?:00)+|(?:00)+$/g, '')
  if (digits === '') return said
  let text: string | undefined
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(hexToBytes(`0x${digits}`))
  } catch {
    // shown as bytes
  }
  const shown = text === undefined || hasInvisible(text) ? `0x${digits}` : quote(text)
  return { ...said, text: `${said.text} with the memo ${shown}` }
}

/** `1.00 pathUSD`; raw units for any other contract, because its decimals are unknown. */
function howMuch(amount: bigint, { chainId, contract }: CallContext): string {
  const name = tempoTokenName(contract, chainId)
  return isTip20(contract)
    ? `${formatAmount(amount, { decimals: 6, minimumPlaces: 2 })} ${name}`
    : `${amount} raw units ${name}`
}

function upTo(amount: bigint, context: CallContext): string {
  if (amount === 0n) return `nothing ${nameIn(context)} any more`
  return amount < unlimited
    ? `up to ${howMuch(amount, context)}`
    : `everything ${nameIn(context)} that there is and will be`
}

function nameIn({ chainId, contract }: CallContext): string {
  const name = tempoTokenName(contract, chainId)
  return name.startsWith('of ') ? name : `of its ${name}`
}

function warningOf(text: string, amount: unknown): string | undefined {
  return amount === 0n ? undefined : `The account ${text}.`
}

function nameOf(address: unknown, { account }: CallContext): string {
  return address === account ? 'itself' : String(address)
}

function authorization(): KnownCall {
  return keychain('address', ([key]) => {
    const text = `gives the key ${key} power over the account`
    return { text, danger: `It ${text}.` }
  })
}

function scope(): KnownCall {
  return keychain('address', ([key]) => {
    const text = `changes what the access key ${key} may call`
    return { text, warning: `It ${text}.` }
  })
}

function token(types: string, describe: KnownCall['describe']): KnownCall {
  return { of: 'token', parameters: typesOf(types), describe }
}

function keychain(types: string, describe: KnownCall['describe']): KnownCall {
  return { of: 'keychain', parameters: typesOf(types), describe }
}

function credits(types: string, describe: KnownCall['describe']): KnownCall {
  return { of: 'credits', parameters: typesOf(types), describe }
}

function typesOf(types: string): readonly AbiParameter[] {
  return types === '' ? [] : types.split(' ').map((type) => ({ type }))
}

function tuple(components: readonly AbiParameter[]): AbiParameter {
  return { type: 'tuple', components }
}
