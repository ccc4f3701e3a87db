import { showText } from '../../core/errors/showValue.ts'
import { finding, type Move } from '../../core/finding/finding.ts'
import { effect } from '../../core/inspection/effect.ts'
import type { InspectionLine, InspectionValue } from '../../core/inspection/inspection.ts'
import { solanaSentences } from '../../core/inspection/solanaSentences.ts'
import {
  addressValue,
  fieldLine,
  line,
  sentencesOf,
  sentenceValue,
  textValue,
  tokenValue,
} from '../../core/inspection/values.ts'
import { networks } from '../networks.ts'
import type { DecodedInstruction } from '../transaction/readInstruction.ts'

export type Place = {
  wallet: string
  known: Readonly<Record<string, string>>
  instructions: readonly DecodedInstruction[]
  /** The data of each instruction. */
  data: readonly Uint8Array[]
}

/** The mint of wrapped SOL. Its token accounts hold SOL. */
export const wrappedSol = 'So11111111111111111111111111111111111111112'

/** An account in a lookup table that was not passed has no address. */
export function accountValue(
  account: string,
  { known }: Pick<Place, 'known'>,
  programName?: string,
): InspectionValue {
  const [, index, table] = hiddenAccount.exec(account) ?? []
  if (index !== undefined && table !== undefined)
    return sentenceValue(
      solanaSentence('account.hidden', { index: textValue(index), table: addressValue(table) }),
    )
  const name = known[account]
  return addressValue(account, name === undefined ? programName : showText(name))
}

/** The placeholder that `readTransactionDetails` uses for an account in a lookup table that was not passed. */
const hiddenAccount = /^\?(\d+) of (.+)$/

export const solValue = (lamports: bigint): InspectionValue => ({
  type: 'amount',
  amount: lamports,
  decimals: 9,
  symbol: 'SOL',
})

/** The decimals in the instruction are correct, because the program compares them with the mint. */
export function tokenAmount(
  amount: bigint | 'unlimited',
  { mint, account, decimals }: { mint: string | undefined; account: string; decimals: number | undefined },
): InspectionValue {
  if (isUsdc(mint)) return tokenValue(amount, 'USDC')
  if (mint === undefined || hiddenAccount.test(mint))
    return sentenceValue(
      solanaSentence(amount === 1n ? 'token.unknownOne' : 'token.unknown', {
        amount: textValue(`${amount}`),
        account: accountValue(account, { known: {} }),
      }),
    )
  return {
    type: 'amount',
    amount,
    decimals,
    symbol: mint === wrappedSol ? 'wrapped SOL' : undefined,
    token: mint,
  }
}

export const isUsdc = (mint: string | undefined) => networks.some(({ usdcMint }) => usdcMint === mint)

export const tokenLine = (mint: string | undefined, place: Pick<Place, 'known'>) =>
  mint === undefined ? [] : [line('token', accountValue(mint, place))]

/** `authority` controls the account `from`. */
export const solMove = (
  { from, to, authority = from }: { from: string; to: string; authority?: string | undefined },
  amount: bigint,
  wallet: string,
): Move => ({
  direction: from === wallet ? 'out' : to === wallet ? 'in' : authority === wallet ? 'out' : 'other',
  asset: 'native',
  amount,
  decimals: 9,
  from,
  to,
})

export const uncompared = () =>
  finding(
    'warning',
    'EXTRA_TRANSFER',
    'The transaction makes a transfer that was not compared with an expected payment.',
    { fix: 'Sign it only if you want this transfer.' },
  )

/** Creates the finding for an instruction that moves no money by itself. */
export const unasked = (
  message = 'The transaction makes a change that was not compared with an expected payment.',
) => finding('warning', 'UNEXPECTED_INSTRUCTION', message, { fix: 'Sign it only if you want this effect.' })

export const authorityChange = (severity: 'warning' | 'danger', message: string) =>
  finding(severity, 'AUTHORITY_CHANGE', message, {
    fix: severity === 'danger' ? 'Do not sign it.' : 'Sign it only if you want this change.',
  })

/** Returns a key that one form of an instruction passes as an argument, and the other form as an account. */
export const keyOf = (
  { args, accounts }: Pick<DecodedInstruction, 'args' | 'accounts'>,
  name: string,
): string => {
  const parts: Readonly<Record<string, unknown>> = { ...args, ...accounts }
  return String(parts[name])
}

export const partLines = (
  { args, accounts, extraAccounts }: DecodedInstruction,
  place: Place,
): InspectionLine[] => [
  ...Object.entries<bigint | string | null>(args).map(([field, value]) =>
    fieldLine(field, textValue(typeof value === 'string' ? showText(value) : `${value ?? 'none'}`)),
  ),
  ...Object.entries<string>(accounts).map(([field, value]) => fieldLine(field, accountValue(value, place))),
  ...extraAccounts.map((account) => line('account', accountValue(account, place))),
]

/** A sentence that only Solana uses includes its English text. */
export const solanaSentence = /* @__PURE__ */ sentencesOf(solanaSentences)

export const solanaEffect = (
  ...[key, values, more]: [...Parameters<typeof solanaSentence>, Parameters<typeof effect>[1]?]
) => effect(solanaSentence(key, values), more)
