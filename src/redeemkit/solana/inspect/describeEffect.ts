import { showText } from '../../core/errors/showText.ts'
import type { Grant, Move } from '../../core/finding/finding.ts'
import type { InspectionLine, InspectionSentence, InspectionValue } from '../../core/inspection/inspection.ts'
import { addressValue, line, sentence, textValue, tokenValue } from '../../core/inspection/values.ts'
import { type DecodedInstruction, describeInstruction } from '../instruction/decodeInstruction.ts'
import { networks } from '../networks.ts'

/** What one instruction does, as text and as values. */
type Effect = { sentence: InspectionSentence; lines: InspectionLine[]; moves: Move[]; grants: Grant[] }

/** An amount of SOL. */
export const solValue = (lamports: bigint): InspectionValue => ({
  type: 'amount',
  amount: lamports,
  decimals: 9,
  symbol: 'SOL',
})

/** Describes an instruction of a transaction that was not compared with a payment. */
export function describeEffect(
  instruction: DecodedInstruction,
  { wallet, known = {} }: { wallet: string; known?: Readonly<Record<string, string>> | undefined },
): Effect {
  const { program, programId, name, accounts, args } = instruction
  const address = (value: string) => addressValue(value, known[value])
  const plain: Effect = {
    sentence: sentence('plain', { text: textValue(`${describeInstruction(instruction)}.`) }),
    lines: [],
    moves: [],
    grants: [],
  }
  if (name === 'unknown') {
    const called = address(programId)
    return {
      ...plain,
      sentence: sentence('program.unknown', { program: called }),
      lines: [line('program', called)],
    }
  }
  if (program === 'system' && (name === 'transfer' || name === 'createAccount')) {
    const to = name === 'transfer' ? accounts.destination : accounts.account
    const values = { amount: solValue(args.lamports), to: address(to) }
    const isOwn = accounts.source === wallet
    if (name === 'createAccount')
      return {
        ...plain,
        sentence: sentence(to === wallet ? 'account.assign' : 'account.create', {
          ...values,
          owner: address(args.owner),
        }),
        lines: [line('receiver', values.to)],
        moves: [sol(accounts.source, to, args.lamports, wallet)],
      }
    return {
      ...plain,
      sentence: isOwn
        ? sentence('send', values)
        : sentence('sendFrom', { ...values, from: address(accounts.source) }),
      lines: [line('receiver', values.to)],
      moves: [sol(accounts.source, to, args.lamports, wallet)],
    }
  }
  if (program === 'system' && name === 'assign')
    return {
      ...plain,
      sentence: sentence('account.assign', { owner: address(args.owner), to: address(accounts.account) }),
      lines: [line('account', address(accounts.account)), line('program', address(args.owner))],
    }
  if (program === 'associatedToken' && (name === 'create' || name === 'createIdempotent'))
    return {
      ...plain,
      sentence: sentence('account.token', { owner: address(accounts.owner), payer: address(accounts.payer) }),
      lines: [line('token', addressValue(accounts.mint))],
    }
  if (program === 'system' && name === 'advanceNonceAccount')
    return { ...plain, sentence: sentence('durableNonce', { account: address(accounts.nonce) }) }
  if (name === 'memo')
    return { ...plain, sentence: sentence('memo', { text: textValue(showText(args.text, longestMemo)) }) }
  if (program !== 'token' && program !== 'token2022') return plain
  switch (name) {
    case 'transfer':
    case 'transferChecked': {
      const mint = name === 'transferChecked' ? accounts.mint : undefined
      const amount = tokenAmount(args.amount, mint, accounts.source)
      const to = address(accounts.destination)
      return {
        ...plain,
        sentence: sentence('send', { amount, to }),
        lines: [line('receiver', to), ...tokenLine(mint)],
        moves: [
          {
            direction: accounts.owner === wallet ? 'out' : 'other',
            asset: mint ?? accounts.source,
            amount: args.amount,
            decimals: isUsdc(mint) ? 6 : undefined,
            from: accounts.source,
            to: accounts.destination,
          },
        ],
      }
    }
    case 'approve':
    case 'approveChecked': {
      const mint = name === 'approveChecked' ? accounts.mint : undefined
      const isAll = args.amount >= mostTokens
      const amount = tokenAmount(isAll ? 'unlimited' : args.amount, mint, accounts.source)
      const spender = address(accounts.delegate)
      return {
        ...plain,
        sentence: sentence(isAll ? 'allow' : 'allow.upTo', { spender, amount }),
        lines: [line('spender', spender), ...tokenLine(mint)],
        grants: [
          {
            asset: mint ?? accounts.source,
            amount: isAll ? 'unlimited' : args.amount,
            decimals: isUsdc(mint) ? 6 : undefined,
            from: accounts.source,
            to: accounts.delegate,
            until: undefined,
          },
        ],
      }
    }
    case 'burn':
    case 'burnChecked':
      return {
        ...plain,
        sentence: sentence('burn', { amount: tokenAmount(args.amount, accounts.mint, accounts.account) }),
        lines: tokenLine(accounts.mint),
      }
    case 'setAuthority':
      return {
        ...plain,
        sentence:
          args.newAuthority === null
            ? sentence('account.locked', { account: address(accounts.account) })
            : sentence('account.authority', {
                account: address(accounts.account),
                owner: address(args.newAuthority),
              }),
        lines: [line('account', address(accounts.account))],
      }
    case 'closeAccount':
      return {
        ...plain,
        sentence: sentence('account.close', {
          account: address(accounts.account),
          to: address(accounts.destination),
        }),
        lines: [line('receiver', address(accounts.destination))],
      }
    default:
      return plain
  }
}

/** A memo can hold a sign-in, whose statement is shown in full. */
const longestMemo = 1_000

/** From here on an approval is for everything: amounts have 64 bits. */
const mostTokens = (1n << 63n) - 1n

const isUsdc = (mint: string | undefined) => networks.some(({ usdcMint }) => usdcMint === mint)

const tokenAmount = (amount: bigint | 'unlimited', mint: string | undefined, account: string) =>
  tokenValue(amount, isUsdc(mint) ? 'USDC' : { token: mint ?? account })

const tokenLine = (mint: string | undefined) =>
  mint === undefined ? [] : [line('token', addressValue(mint))]

const sol = (from: string, to: string, amount: bigint, wallet: string): Move => ({
  direction: from === wallet ? 'out' : to === wallet ? 'in' : 'other',
  asset: 'native',
  amount,
  decimals: 9,
  from,
  to,
})
