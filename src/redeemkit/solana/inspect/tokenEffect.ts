import { approvalFinding, finding } from '../../core/finding/finding.ts'
import { type Effect, effect } from '../../core/inspection/effect.ts'
import { line, textValue } from '../../core/inspection/values.ts'
import { tokenAccountOf } from '../address.ts'
import type { DecodedInstruction } from '../instruction/readInstruction.ts'
import {
  accountValue,
  authorityChange,
  isUsdc,
  keyOf,
  type Place,
  solanaSentence,
  tokenAmount,
  tokenLine,
  unasked,
  uncompared,
  wrappedSol,
} from './instructionValues.ts'
import { programNames } from './systemEffect.ts'

type TokenInstruction = Extract<DecodedInstruction, { program: 'token' | 'token2022' }>

/** Describes a Token or Token-2022 instruction. Returns `undefined` for an instruction without a specific description. */
export function tokenEffect(instruction: TokenInstruction, place: Place): Effect | undefined {
  const { wallet } = place
  const value = (account: string) => accountValue(account, place)
  switch (instruction.name) {
    case 'transfer':
    case 'transferChecked':
    case 'transferCheckedWithFee':
      return transfer(instruction, place)
    case 'approve':
    case 'approveChecked':
      return approval(instruction, place)
    case 'setAuthority':
      return newAuthority(instruction, place)
    case 'closeAccount':
      return closing(instruction, place)
    case 'revoke': {
      const account = value(instruction.accounts.source)
      return effect(solanaSentence('revoke.account', { account }), { lines: [line('account', account)] })
    }
    case 'burn':
    case 'burnChecked': {
      const { accounts, args, extraAccounts } = instruction
      const decimals = decimalsOf(args)
      const amount = tokenAmount(args.amount, { ...accounts, decimals })
      return effect(solanaSentence('burn', { amount }), {
        lines: tokenLine(accounts.mint, place),
        moves: [
          {
            direction: [accounts.owner, ...extraAccounts].includes(wallet) ? 'out' : 'other',
            asset: accounts.mint,
            amount: args.amount,
            decimals,
            from: accounts.account,
            to: '',
          },
        ],
        findings: [uncompared()],
      })
    }
    case 'mintTo':
    case 'mintToChecked': {
      const { accounts, args } = instruction
      const decimals = decimalsOf(args)
      const amount = tokenAmount(args.amount, { ...accounts, decimals })
      const to = value(accounts.account)
      return effect(solanaSentence('mint', { amount, to }), {
        lines: [line('receiver', to), ...tokenLine(accounts.mint, place)],
        findings: [unasked()],
      })
    }
    case 'freezeAccount':
    case 'thawAccount': {
      const account = value(instruction.accounts.account)
      return effect(solanaSentence(instruction.name === 'freezeAccount' ? 'freeze' : 'thaw', { account }), {
        lines: [line('account', account), ...tokenLine(instruction.accounts.mint, place)],
        findings: [unasked()],
      })
    }
    case 'unwrapLamports':
      return unwrapping(instruction, place)
    case 'syncNative':
      return effect(solanaSentence('wrap.sync', { account: value(instruction.accounts.account) }), {
        weight: 1,
      })
    case 'initializeAccount':
    case 'initializeAccount2':
    case 'initializeAccount3': {
      const { accounts } = instruction
      const owner = keyOf(instruction, 'owner')
      const values = { account: value(accounts.account), owner: value(owner) }
      return effect(solanaSentence('account.owner', values), {
        lines: [line('account', values.account), ...tokenLine(accounts.mint, place)],
        weight: owner === wallet ? 1 : 2,
        findings: [unasked()],
      })
    }
    case 'initializeMint':
    case 'initializeMint2': {
      const { accounts, args } = instruction
      const values = { token: value(accounts.mint), owner: value(args.mintAuthority) }
      return effect(solanaSentence('token.create', values), {
        lines: [line('token', accountValue(accounts.mint, place))],
        findings: [unasked()],
      })
    }
    case 'batch':
      return effect(
        solanaSentence('program.hidden', { program: accountValue(instruction.programId, place, 'Token') }),
        {
          findings: [
            finding('danger', 'UNKNOWN_INSTRUCTION', 'It holds instructions that cannot be read here.', {
              fix: 'Do not sign it: they could give your tokens away.',
            }),
          ],
        },
      )
    default:
      return undefined
  }
}

const decimalsOf = (args: object) => ('decimals' in args ? Number(args.decimals) : undefined)

type Named<name> = Extract<TokenInstruction, { name: name }>

function transfer(
  { accounts, args, extraAccounts }: Named<'transfer' | 'transferChecked' | 'transferCheckedWithFee'>,
  place: Place,
): Effect {
  const mint = 'mint' in accounts ? accounts.mint : undefined
  const decimals = decimalsOf(args)
  const isOwn = [accounts.owner, ...extraAccounts].includes(place.wallet)
  const values = {
    amount: tokenAmount(args.amount, { mint, account: accounts.source, decimals }),
    to: accountValue(accounts.destination, place),
    from: accountValue(accounts.owner, place),
  }
  return effect(solanaSentence(isOwn ? 'send' : 'sendFrom', values), {
    lines: [line('receiver', values.to), ...tokenLine(mint, place)],
    moves: [
      {
        direction: isOwn ? 'out' : 'other',
        asset: mint ?? accounts.source,
        amount: args.amount,
        decimals,
        from: accounts.source,
        to: accounts.destination,
      },
    ],
    findings: [uncompared()],
  })
}

function approval(
  { accounts, args, extraAccounts }: Named<'approve' | 'approveChecked'>,
  place: Place,
): Effect {
  const mint = 'mint' in accounts ? accounts.mint : undefined
  const decimals = decimalsOf(args)
  const { delegate, owner, source } = accounts
  const isAll = args.amount >= (isUsdc(mint) ? mostUsdc : mostTokens)
  const amount = isAll ? 'unlimited' : args.amount
  const isLoss = [owner, ...extraAccounts].includes(place.wallet) && place.known[delegate] === undefined
  const spender = accountValue(delegate, place)
  return effect(
    solanaSentence(isAll ? (isUsdc(mint) ? 'allow' : 'allow.account') : 'allow.upTo', {
      spender,
      account: accountValue(source, place),
      amount: tokenAmount(amount, { mint, account: source, decimals }),
    }),
    {
      lines: [line('spender', spender), ...tokenLine(mint, place)],
      grants: [
        {
          asset: mint ?? source,
          amount,
          decimals,
          from: source,
          to: delegate,
          until: undefined,
        },
      ],
      findings: [approvalFinding({ spender: delegate, isAll, isLoss })],
    },
  )
}

/** Raw units from which an approval counts as unlimited: a billion tokens of 9 decimals. */
const mostTokens = 10n ** 18n
/** In raw units of 6 decimals: a billion dollars. */
const mostUsdc = 10n ** 15n

function newAuthority({ accounts, args, extraAccounts }: Named<'setAuthority'>, place: Place): Effect {
  const { wallet } = place
  const { account, owner } = accounts
  const { authorityType, newAuthority } = args
  const values = {
    account: accountValue(account, place),
    owner: newAuthority === null ? textValue('') : accountValue(newAuthority, place),
  }
  // Authority type 2 owns a token account, and 3 may close it. The other types are settings of a mint.
  const isAccount = authorityType === 2n || authorityType === 3n
  const isOwn = [owner, ...extraAccounts].includes(wallet)
  const isLoss =
    isAccount && isOwn && newAuthority !== wallet && (authorityType === 2n || newAuthority !== null)
  const [given, dropped] = isAccount
    ? (['account.authority', 'account.locked'] as const)
    : authorityType === 0n
      ? (['token.minter', 'token.noMinter'] as const)
      : (['token.authority', 'token.noAuthority'] as const)
  const key =
    newAuthority !== null
      ? isAccount && !isOwn
        ? 'account.authorityOther'
        : given
      : authorityType === 3n
        ? 'account.noCloser'
        : dropped
  return effect(solanaSentence(key, values), {
    lines: [
      line('account', values.account),
      ...(newAuthority === null ? [] : [line('signer', values.owner)]),
    ],
    findings: [
      authorityChange(
        isLoss ? 'danger' : 'warning',
        isAccount ? 'It changes who controls a token account.' : 'It changes who controls a token.',
      ),
    ],
  })
}

/** Unwraps SOL and sends it to any account. Without an amount, it sends all of the SOL. */
function unwrapping(
  { accounts, args, extraAccounts }: Named<'unwrapLamports'>,
  place: Place,
): Effect | undefined {
  const { wallet } = place
  const { source, destination, owner } = accounts
  const { amount } = args
  const isOwn = [owner, ...extraAccounts].includes(wallet)
  if (amount === null && !isOwn) return undefined
  const values = {
    amount: tokenAmount(amount ?? 'unlimited', { mint: wrappedSol, account: source, decimals: 9 }),
    to: accountValue(destination, place),
    from: accountValue(source, place),
  }
  return effect(solanaSentence(isOwn ? 'send' : 'sendFrom', values), {
    lines: [line('account', values.from), line('receiver', values.to)],
    moves:
      amount === null
        ? []
        : [
            {
              direction: isOwn ? 'out' : 'other',
              asset: wrappedSol,
              amount,
              decimals: 9,
              from: source,
              to: destination,
            },
          ],
    findings: [
      amount === null && destination !== wallet
        ? finding('danger', 'EXTRA_TRANSFER', 'It sends all SOL of an account to another account.', {
            fix: 'Do not sign it.',
          })
        : uncompared(),
    ],
  })
}

/** A token account must be empty to be closed. A wrapped SOL account may hold SOL, which goes to the receiver. */
function closing({ accounts, extraAccounts }: Named<'closeAccount'>, place: Place): Effect {
  const { wallet } = place
  const { account, destination, owner } = accounts
  const isOwn = [owner, ...extraAccounts].includes(wallet)
  const values = { account: accountValue(account, place), to: accountValue(destination, place) }
  const lines = [line('account', values.account), line('receiver', values.to)]
  if (destination === wallet)
    return effect(solanaSentence('account.closeOwn', values), {
      lines,
      weight: 1,
      findings: [closed('warning', 'Sign it only if the account is no longer needed.')],
    })
  const isWrappedSol =
    account === tokenAccountOf({ owner: wallet, mint: wrappedSol }) ||
    place.instructions.some(
      (one) =>
        /^initializeAccount/.test(one.name) &&
        Object.values<string>(one.accounts).join().startsWith(`${account},${wrappedSol}`),
    )
  return effect(solanaSentence(isOwn ? 'account.close' : 'account.closeOther', values), {
    lines,
    findings: [
      isOwn && isWrappedSol
        ? closed('danger', 'Do not sign it: the SOL in it goes to another account.')
        : closed(
            'warning',
            'Sign it only if the receiver paid for the account, and no SOL is wrapped in it.',
          ),
    ],
  })
}

const closed = (severity: 'warning' | 'danger', fix: string) =>
  finding(severity, 'ACCOUNT_CLOSED', 'It closes a token account.', { fix })

/** Describes the creation of an owner's associated token account. */
export function tokenAccountEffect(
  {
    accounts,
  }: Extract<DecodedInstruction, { program: 'associatedToken'; name: 'create' | 'createIdempotent' }>,
  place: Place,
): Effect {
  const { wallet } = place
  const values = { owner: accountValue(accounts.owner, place), payer: accountValue(accounts.payer, place) }
  const isOwn = [accounts.owner, accounts.payer].every((account) => account === wallet)
  return effect(solanaSentence(isOwn ? 'account.tokenOwn' : 'account.token', values), {
    lines: [line('token', accountValue(accounts.mint, place))],
    weight: 1,
    findings:
      accounts.payer === wallet
        ? [
            finding('warning', 'PAYS_RENT', 'Your account pays the rent of a token account.', {
              fix: 'Sign it only if you want to pay for this account.',
            }),
          ]
        : [],
  })
}

/** The finding for accounts beyond the layout, which a transfer hook passes to another program. */
export const hookFinding = (programId: string) =>
  finding(
    'warning',
    'UNEXPECTED_ACCOUNT',
    `It gives the ${programNames[programId]} program more accounts than it needs.`,
    {
      fix: 'Sign it only if you trust this token.',
    },
  )
