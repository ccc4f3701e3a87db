import { approvalFinding, finding, type Move } from '../../core/finding/finding.ts'
import type { Effect } from '../../core/inspection/effect.ts'
import { fieldLine, line, textValue } from '../../core/inspection/values.ts'
import { tokenAccountOf } from '../address.ts'
import type { DecodedInstruction } from '../transaction/readInstruction.ts'
import {
  accountValue,
  authorityChange,
  isUsdc,
  keyOf,
  type Place,
  solanaEffect,
  tokenAmount,
  tokenLine,
  unasked,
  uncompared,
  wrappedSol,
} from './instructionValues.ts'
import { programNames } from './systemEffect.ts'

type TokenInstruction = Extract<DecodedInstruction, { program: 'token' | 'token2022' }>

export function tokenEffect(instruction: TokenInstruction, place: Place): Effect | undefined {
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
      return solanaEffect('revoke.account', { account }, { lines: [line('account', account)] })
    }
    case 'burn':
    case 'burnChecked': {
      const { account: from, mint } = instruction.accounts
      const { amount, decimals } = amountsOf(instruction)
      const values = { amount: tokenAmount(amount, { mint, account: from, decimals }) }
      return solanaEffect('burn', values, {
        lines: tokenLine(mint, place),
        moves: [outMove(isSigner(instruction, place), { asset: mint, amount, decimals, from, to: '' })],
        isUnknown: !isKnown(mint),
        findings: [uncompared()],
      })
    }
    case 'mintTo':
    case 'mintToChecked': {
      const { account, mint } = instruction.accounts
      const { amount, decimals } = amountsOf(instruction)
      const values = { amount: tokenAmount(amount, { mint, account, decimals }), to: value(account) }
      return solanaEffect('mint', values, {
        lines: [line('receiver', values.to), ...tokenLine(mint, place)],
        findings: [unasked()],
      })
    }
    case 'freezeAccount':
    case 'thawAccount': {
      const values = { account: value(instruction.accounts.account) }
      return solanaEffect(instruction.name === 'freezeAccount' ? 'freeze' : 'thaw', values, {
        lines: [line('account', values.account), ...tokenLine(instruction.accounts.mint, place)],
        findings: [unasked()],
      })
    }
    case 'unwrapLamports':
      return unwrapping(instruction, place)
    case 'syncNative':
      return solanaEffect('wrap.sync', { account: value(instruction.accounts.account) }, { weight: 1 })
    case 'initializeAccount':
    case 'initializeAccount2':
    case 'initializeAccount3': {
      const { accounts } = instruction
      const owner = keyOf(instruction, 'owner')
      const values = { account: value(accounts.account), owner: value(owner) }
      return solanaEffect('account.owner', values, {
        lines: [line('account', values.account), ...tokenLine(accounts.mint, place)],
        weight: owner === place.wallet ? 1 : 3,
        findings: [unasked()],
      })
    }
    case 'initializeMint':
    case 'initializeMint2': {
      const { accounts, args } = instruction
      const values = { token: value(accounts.mint), owner: value(args.mintAuthority) }
      return solanaEffect('token.create', values, {
        lines: [line('token', values.token)],
        findings: [unasked()],
      })
    }
    case 'batch': {
      const { programId } = instruction
      const values = { program: accountValue(programId, place, programNames[programId]) }
      return solanaEffect('program.hidden', values, {
        findings: [
          finding(
            'danger',
            'UNKNOWN_INSTRUCTION',
            'The transaction contains instructions that cannot be decoded.',
            { fix: 'Do not sign it. The instructions could give your tokens away.' },
          ),
        ],
      })
    }
    default:
      return undefined
  }
}

const amountsOf = ({ args }: { args: { amount: bigint; decimals?: bigint } }) => ({
  amount: args.amount,
  decimals: args.decimals === undefined ? undefined : Number(args.decimals),
})

/** Whether the wallet owns the account, or is one of the further signers of a multisig. */
const isSigner = (
  { accounts, extraAccounts }: { accounts: { owner: string }; extraAccounts: readonly string[] },
  { wallet }: Place,
) => [accounts.owner, ...extraAccounts].includes(wallet)

/** Anyone can create tokens other than USDC and wrapped SOL, so their amounts mean nothing. */
const isKnown = (mint: string | undefined) => isUsdc(mint) || mint === wrappedSol

const outMove = (isOwn: boolean, move: Omit<Move, 'direction'>): Move => ({
  direction: isOwn ? 'out' : 'other',
  ...move,
})

type Named<name> = Extract<TokenInstruction, { name: name }>

function transfer(
  instruction: Named<'transfer' | 'transferChecked' | 'transferCheckedWithFee'>,
  place: Place,
): Effect {
  const { accounts } = instruction
  const { source: from, destination: to } = accounts
  const mint = 'mint' in accounts ? accounts.mint : undefined
  const { amount, decimals } = amountsOf(instruction)
  const isOwn = isSigner(instruction, place)
  const shown = (raw: bigint) => tokenAmount(raw, { mint, account: from, decimals })
  const values = {
    amount: shown(amount),
    to: accountValue(to, place),
    from: accountValue(accounts.owner, place),
  }
  const fee = 'fee' in instruction.args ? [fieldLine('fee', shown(instruction.args.fee))] : []
  return solanaEffect(isOwn ? 'send' : 'sendFrom', values, {
    lines: [line('receiver', values.to), ...tokenLine(mint, place), ...fee],
    moves: [outMove(isOwn, { asset: mint ?? from, amount, decimals, from, to })],
    isUnknown: !isKnown(mint),
    findings: [uncompared()],
  })
}

function approval(instruction: Named<'approve' | 'approveChecked'>, place: Place): Effect {
  const { accounts } = instruction
  const { delegate, source } = accounts
  const mint = 'mint' in accounts ? accounts.mint : undefined
  const { amount: allowed, decimals } = amountsOf(instruction)
  const isAll = allowed >= (isUsdc(mint) ? mostUsdc : mostTokens)
  const amount = isAll ? 'unlimited' : allowed
  const isForeign = !isSigner(instruction, place)
  const isLoss = !isForeign && place.known[delegate] === undefined
  const values = {
    spender: accountValue(delegate, place),
    account: accountValue(source, place),
    amount: tokenAmount(amount, { mint, account: source, decimals }),
  }
  return solanaEffect(isAll ? (isUsdc(mint) ? 'allow' : 'allow.account') : 'allow.upTo', values, {
    lines: [line('spender', values.spender), ...tokenLine(mint, place)],
    grants: [{ asset: mint ?? source, amount, decimals, from: source, to: delegate, until: undefined }],
    isForeign,
    isUnknown: !isKnown(mint),
    findings: [approvalFinding({ spender: delegate, isAll, isLoss })],
  })
}

/** Raw units from which an approval counts as unlimited: a billion tokens of 9 decimals. */
const mostTokens = 10n ** 18n
/** In raw units of 6 decimals: a billion dollars. */
const mostUsdc = 10n ** 15n

function newAuthority(instruction: Named<'setAuthority'>, place: Place): Effect {
  const { authorityType, newAuthority } = instruction.args
  const isGiven = newAuthority !== null
  const values = {
    account: accountValue(instruction.accounts.account, place),
    owner: isGiven ? accountValue(newAuthority, place) : textValue(''),
  }
  // Authority type 2 owns a token account, and 3 may close it. The other types are settings of a mint.
  const [isOwner, isCloser] = [authorityType === 2n, authorityType === 3n]
  const isAccount = isOwner || isCloser
  const isOwn = isSigner(instruction, place)
  const isLoss = isAccount && isOwn && newAuthority !== place.wallet && (isOwner || isGiven)
  const [given, dropped] = isAccount
    ? ([
        isCloser ? 'account.closer' : isOwn ? 'account.authority' : 'account.authorityOther',
        'account.locked',
      ] as const)
    : authorityType === 0n
      ? (['token.minter', 'token.noMinter'] as const)
      : (['token.authority', 'token.noAuthority'] as const)
  return solanaEffect(isGiven ? given : isCloser ? 'account.noCloser' : dropped, values, {
    lines: [line('account', values.account), ...(isGiven ? [line('signer', values.owner)] : [])],
    findings: [
      authorityChange(
        isLoss ? 'danger' : 'warning',
        `The transaction changes who controls a token${isAccount ? ' account' : ''}.`,
      ),
    ],
  })
}

/** Unwraps SOL and sends it to any account. Without an amount, it sends all of the SOL. */
function unwrapping(instruction: Named<'unwrapLamports'>, place: Place): Effect | undefined {
  const { source: from, destination: to } = instruction.accounts
  const { amount } = instruction.args
  const isOwn = isSigner(instruction, place)
  if (amount === null && !isOwn) return undefined
  const values = {
    amount: tokenAmount(amount ?? 'unlimited', { mint: wrappedSol, account: from, decimals: 9 }),
    to: accountValue(to, place),
    from: accountValue(from, place),
  }
  return solanaEffect(isOwn ? 'send' : 'sendFrom', values, {
    lines: [line('account', values.from), line('receiver', values.to)],
    moves: amount === null ? [] : [outMove(isOwn, { asset: wrappedSol, amount, decimals: 9, from, to })],
    findings: [
      amount === null && to !== place.wallet
        ? finding(
            'danger',
            'EXTRA_TRANSFER',
            'The transaction sends all SOL of an account to another account.',
            { fix: 'Do not sign it.' },
          )
        : uncompared(),
    ],
  })
}

/** A token account must be empty to be closed. A wrapped SOL account may hold SOL, which goes to the receiver. */
function closing(instruction: Named<'closeAccount'>, place: Place): Effect {
  const { wallet } = place
  const { account, destination } = instruction.accounts
  const isOwn = isSigner(instruction, place)
  const values = { account: accountValue(account, place), to: accountValue(destination, place) }
  const lines = [line('account', values.account), line('receiver', values.to)]
  if (destination === wallet)
    return solanaEffect('account.closeOwn', values, {
      lines,
      weight: 1,
      findings: [closed('warning', 'Sign it only if the account is no longer needed.')],
    })
  // an account for wrapped SOL, or a new account to which the wallet gives SOL
  const holdsSol =
    account === tokenAccountOf({ owner: wallet, mint: wrappedSol }) ||
    place.instructions.some((one) => {
      // the payer and the new account, in either order; further accounts pay nothing
      const keys = [...Object.values<string>(one.accounts), ...one.extraAccounts].slice(0, 2)
      return /^initializeAccount/.test(one.name)
        ? keys[0] === account && keys[1] === wrappedSol
        : /^createAccount/.test(one.name) && keys.includes(wallet) && keys.includes(account)
    })
  return solanaEffect(isOwn ? 'account.close' : 'account.closeOther', values, {
    lines,
    findings: [
      isOwn && holdsSol
        ? closed('danger', 'Do not sign it. The SOL in the account goes to another account.')
        : closed(
            'warning',
            'Sign it only if the receiver paid for the account and the account holds no wrapped SOL.',
          ),
    ],
  })
}

const closed = (severity: 'warning' | 'danger', fix: string) =>
  finding(severity, 'ACCOUNT_CLOSED', 'The transaction closes a token account.', { fix })

export function tokenAccountEffect(
  {
    accounts,
  }: Extract<DecodedInstruction, { program: 'associatedToken'; name: 'create' | 'createIdempotent' }>,
  place: Place,
): Effect {
  const { owner, payer, mint } = accounts
  const isPayer = payer === place.wallet
  const values = { owner: accountValue(owner, place), payer: accountValue(payer, place) }
  return solanaEffect(isPayer && owner === payer ? 'account.tokenOwn' : 'account.token', values, {
    lines: tokenLine(mint, place),
    weight: 1,
    findings: isPayer
      ? [
          finding('warning', 'PAYS_RENT', 'Your account pays the rent of a token account.', {
            fix: 'Sign it only if you want to pay for this account.',
          }),
        ]
      : [],
  })
}

/** A transfer hook passes the accounts beyond the layout to another program. */
export const hookFinding = (programId: string) =>
  finding(
    'warning',
    'UNEXPECTED_ACCOUNT',
    `The transaction passes more accounts to the ${programNames[programId]} program than the instruction needs.`,
    { fix: 'Sign it only if you trust this token.' },
  )
