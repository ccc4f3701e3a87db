import { showText } from '../../core/errors/showValue.ts'
import { finding } from '../../core/finding/finding.ts'
import type { Effect } from '../../core/inspection/effect.ts'
import { fieldLine, line, textValue } from '../../core/inspection/values.ts'
import { tokenAccountOf } from '../address.ts'
import { programs } from '../transaction/programs.ts'
import type { DecodedInstruction } from '../transaction/readInstruction.ts'
import {
  accountValue,
  authorityChange,
  type Place,
  solanaEffect,
  solMove,
  solValue,
  unasked,
  uncompared,
  wrappedSol,
} from './instructionValues.ts'

type SystemInstruction = Extract<DecodedInstruction, { program: 'system' }>

export function systemEffect(instruction: SystemInstruction, place: Place): Effect | undefined {
  const { wallet } = place
  const value = (account: string) => accountValue(account, place)
  switch (instruction.name) {
    case 'transfer':
    case 'transferWithSeed': {
      const { accounts, args } = instruction
      const { source: from, destination: to } = accounts
      const authority = 'base' in accounts ? accounts.base : from
      return transfer({ from, to, authority }, args.lamports, place)
    }
    case 'withdrawNonceAccount': {
      const { accounts, args } = instruction
      const { nonce: from, destination: to, authority } = accounts
      return transfer({ from, to, authority }, args.lamports, place)
    }
    case 'createAccount':
    case 'createAccountWithSeed':
    case 'createAccountAllowPrefund':
      return creation(instruction, place)
    case 'assign':
    case 'assignWithSeed':
    case 'allocateWithSeed': {
      const { args } = instruction
      const { account } = instruction.accounts
      const isOwn = account === wallet || ('base' in args && args.base === wallet)
      const values = {
        account: value(account),
        owner: accountValue(args.owner, place, programNames[args.owner]),
      }
      return solanaEffect(account === wallet ? 'account.assign' : 'account.assignOther', values, {
        lines: [line('account', values.account), line('program', values.owner)],
        findings: [
          authorityChange(
            isOwn ? 'danger' : 'warning',
            'The transaction puts an account under the control of a program.',
          ),
        ],
      })
    }
    case 'advanceNonceAccount': {
      const values = { account: value(instruction.accounts.nonce) }
      return solanaEffect('durableNonce', values, {
        lines: [line('account', values.account)],
        weight: 0,
        findings: [
          finding(
            'warning',
            'DURABLE_NONCE',
            'The transaction does not expire: it can be executed at any later time.',
            { fix: 'Sign it only if it may be executed later.' },
          ),
        ],
      })
    }
    case 'initializeNonceAccount': {
      const { authority } = instruction.args
      const values = { account: value(instruction.accounts.nonce), owner: value(authority) }
      return solanaEffect('nonce.create', values, {
        weight: authority === wallet ? 1 : 2,
        findings: [unasked()],
      })
    }
    case 'authorizeNonceAccount': {
      const { accounts, args } = instruction
      const values = { account: value(accounts.nonce), owner: value(args.newAuthority) }
      return solanaEffect('nonce.authority', values, {
        lines: [line('account', values.account), line('signer', values.owner)],
        findings: [
          authorityChange('warning', 'The transaction gives control of a nonce account to another account.'),
        ],
      })
    }
    case 'allocate': {
      const { account } = instruction.accounts
      return account === wallet
        ? solanaEffect('account.unpayable', {}, { findings: [unpayable()] })
        : solanaEffect('account.space', { account: value(account) }, { weight: 1, findings: [unasked()] })
    }
    default:
      return undefined
  }
}

const unpayable = () =>
  authorityChange('danger', 'The transaction makes your account unable to pay for anything.')

function transfer(parties: Parameters<typeof solMove>[0], lamports: bigint, place: Place): Effect {
  const { from, to } = parties
  const { wallet } = place
  const isOwn = from === wallet
  const isWrapping = isOwn && to === tokenAccountOf({ owner: wallet, mint: wrappedSol })
  const values = { amount: solValue(lamports), to: accountValue(to, place), from: accountValue(from, place) }
  return solanaEffect(isWrapping ? 'wrap' : isOwn ? 'send' : 'sendFrom', values, {
    lines: [line('receiver', values.to)],
    moves: [solMove(parties, lamports, wallet)],
    findings: [uncompared()],
    weight: isWrapping ? 1 : 2,
  })
}

const ownerOf = (instruction: DecodedInstruction): string | undefined => {
  switch (instruction.name) {
    case 'initialize':
      return instruction.args.withdrawer
    case 'initializeChecked':
      return instruction.accounts.withdrawer
    case 'initializeAccount':
      return instruction.accounts.owner
    case 'initializeAccount2':
    case 'initializeAccount3':
      return instruction.args.owner
    case 'initializeNonceAccount':
      return instruction.args.authority
    default:
      return undefined
  }
}

function creation(
  { accounts, args, extraAccounts }: Extract<SystemInstruction, { name: `createAccount${string}` }>,
  place: Place,
): Effect {
  const { wallet, instructions } = place
  const { account } = accounts
  const source = 'source' in accounts ? accounts.source : extraAccounts[0]
  const values = {
    amount: solValue(args.lamports),
    to: accountValue(account, place),
    owner: accountValue(args.owner, place, programNames[args.owner]),
  }
  const uses = instructions.filter(
    (one) => [...Object.values<string>(one.accounts), ...one.extraAccounts][0] === account,
  )
  const isPreparation =
    uses.some((one) => ownerOf(one) === wallet) &&
    !uses.some(({ name }) => /^(?:authorize|withdraw)/.test(name))
  return solanaEffect(account === wallet ? 'account.assign' : 'account.create', values, {
    lines: [
      line('receiver', values.to),
      ...('seed' in args ? [fieldLine('seed', textValue(showText(args.seed)))] : []),
    ],
    moves: source === undefined ? [] : [solMove({ from: source, to: account }, args.lamports, wallet)],
    weight: isPreparation || args.lamports === 0n ? 1 : 2,
    findings: [
      account === wallet
        ? authorityChange('danger', 'The transaction puts your account under the control of a program.')
        : uncompared(),
    ],
  })
}

export const programNames: Readonly<Record<string, string>> = {
  [programs.system]: 'System',
  [programs.token]: 'Token',
  [programs.token2022]: 'Token-2022',
  [programs.associatedToken]: 'Associated Token Account',
  [programs.stake]: 'Stake',
  [programs.computeBudget]: 'Compute Budget',
  [programs.lighthouse]: 'Lighthouse',
}
