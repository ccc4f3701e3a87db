import { showText } from '../../core/errors/showText.ts'
import { finding } from '../../core/finding/finding.ts'
import { type Effect, effect } from '../../core/inspection/effect.ts'
import { line, textValue } from '../../core/inspection/values.ts'
import { tokenAccountOf } from '../address.ts'
import { programs } from '../instruction/programs.ts'
import type { DecodedInstruction } from '../instruction/readInstruction.ts'
import {
  accountValue,
  authorityChange,
  type Place,
  solanaSentence,
  solMove,
  solValue,
  unasked,
  uncompared,
  wrappedSol,
} from './instructionValues.ts'

type SystemInstruction = Extract<DecodedInstruction, { program: 'system' }>

/** Describes a System instruction. Returns `undefined` for an instruction without a specific description. */
export function systemEffect(instruction: SystemInstruction, place: Place): Effect | undefined {
  const { wallet } = place
  const value = (account: string) => accountValue(account, place)
  switch (instruction.name) {
    case 'transfer':
    case 'transferWithSeed': {
      const { accounts, args } = instruction
      return transfer(accounts.source, accounts.destination, args.lamports, place)
    }
    case 'withdrawNonceAccount': {
      const { accounts, args } = instruction
      return transfer(accounts.nonce, accounts.destination, args.lamports, place)
    }
    case 'createAccount':
    case 'createAccountWithSeed':
    case 'createAccountAllowPrefund':
      return creation(instruction, place)
    case 'assign':
    case 'assignWithSeed':
    case 'allocateWithSeed': {
      const { accounts, args } = instruction
      const isOwn = accounts.account === wallet || ('base' in args && args.base === wallet)
      const owner = accountValue(args.owner, place, programNames[args.owner])
      const values = { account: value(accounts.account), owner }
      return effect(
        solanaSentence(accounts.account === wallet ? 'account.assign' : 'account.assignOther', values),
        {
          lines: [line('account', values.account), line('program', values.owner)],
          findings: [
            authorityChange(
              isOwn ? 'danger' : 'warning',
              'It puts an account under the control of a program.',
            ),
          ],
        },
      )
    }
    case 'advanceNonceAccount':
      return effect(solanaSentence('durableNonce', { account: value(instruction.accounts.nonce) }), {
        weight: 1,
        findings: [
          finding('warning', 'DURABLE_NONCE', 'It does not expire: it can be executed at any later time.', {
            fix: 'Sign it only if you accept that it is executed later.',
          }),
        ],
      })
    case 'initializeNonceAccount':
      return effect(
        solanaSentence('nonce.create', {
          account: value(instruction.accounts.nonce),
          owner: value(instruction.args.authority),
        }),
        { weight: instruction.args.authority === wallet ? 1 : 2, findings: [unasked()] },
      )
    case 'authorizeNonceAccount': {
      const { accounts, args } = instruction
      const values = { account: value(accounts.nonce), owner: value(args.newAuthority) }
      return effect(solanaSentence('nonce.authority', values), {
        lines: [line('account', values.account), line('signer', values.owner)],
        findings: [authorityChange('warning', 'It gives control of a nonce account to another account.')],
      })
    }
    case 'allocate': {
      const { account } = instruction.accounts
      return account === wallet
        ? effect(solanaSentence('account.unpayable'), {
            findings: [authorityChange('danger', 'It makes your account unable to pay.')],
          })
        : effect(solanaSentence('account.space', { account: value(account) }), {
            weight: 1,
            findings: [unasked()],
          })
    }
    default:
      return undefined
  }
}

function transfer(from: string, to: string, lamports: bigint, place: Place): Effect {
  const { wallet } = place
  const values = { amount: solValue(lamports), to: accountValue(to, place), from: accountValue(from, place) }
  const more = {
    lines: [line('receiver', values.to)],
    moves: [solMove(from, to, lamports, wallet)],
    findings: [uncompared()],
  }
  if (from === wallet && to === tokenAccountOf({ owner: wallet, mint: wrappedSol }))
    return effect(solanaSentence('wrap', values), { ...more, weight: 1 })
  return effect(solanaSentence(from === wallet ? 'send' : 'sendFrom', values), more)
}

/** Returns the owner that an instruction sets for a new account. */
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
  const isPreparation = instructions.some(
    (one) => ownerOf(one) === wallet && Object.values<string>(one.accounts)[0] === account,
  )
  return effect(solanaSentence(account === wallet ? 'account.assign' : 'account.create', values), {
    lines: [
      line('receiver', values.to),
      ...('seed' in args ? [{ ...line('field', textValue(showText(args.seed))), field: 'seed' }] : []),
    ],
    moves: source === undefined ? [] : [solMove(source, account, args.lamports, wallet)],
    weight: isPreparation || args.lamports === 0n ? 1 : 2,
    findings: [
      account === wallet
        ? authorityChange('danger', 'It puts your account under the control of a program.')
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
