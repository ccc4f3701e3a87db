import { type Effect, effect } from '../../core/inspection/effect.ts'
import { line } from '../../core/inspection/values.ts'
import type { DecodedInstruction } from '../instruction/readInstruction.ts'
import {
  accountValue,
  authorityChange,
  keyOf,
  type Place,
  solanaSentence,
  solMove,
  solValue,
  unasked,
  uncompared,
} from './instructionValues.ts'
import { stakePools } from './otherPrograms.ts'

type StakeInstruction = Extract<DecodedInstruction, { program: 'stake' }>

/** Describes a Stake instruction. Returns `undefined` for an instruction without a specific description. */
export function stakeEffect(instruction: StakeInstruction, place: Place): Effect | undefined {
  const { wallet, instructions } = place
  const value = (account: string) => accountValue(account, place)
  switch (instruction.name) {
    case 'initialize':
    case 'initializeChecked': {
      const { accounts } = instruction
      const withdrawer = keyOf(instruction, 'withdrawer')
      const values = { account: value(accounts.stake), owner: value(withdrawer) }
      return effect(solanaSentence('stake.owner', values), {
        lines: [line('account', values.account)],
        weight: withdrawer === wallet ? 1 : 3,
        findings: [
          withdrawer === wallet
            ? unasked()
            : authorityChange('warning', 'Another account can withdraw the stake.'),
        ],
      })
    }
    case 'delegate': {
      const { stake, validator } = instruction.accounts
      const created = instructions.find(
        (one) =>
          (one.name === 'createAccount' || one.name === 'createAccountWithSeed') &&
          one.accounts.account === stake,
      )
      const amount = created && 'lamports' in created.args ? created.args.lamports : undefined
      const values = { account: value(stake), validator: value(validator) }
      return effect(
        typeof amount === 'bigint'
          ? solanaSentence('stake', { ...values, amount: solValue(amount) })
          : solanaSentence('stake.account', values),
        {
          lines: [line('account', values.account), line('receiver', values.validator)],
          weight: 3,
          findings: [unasked()],
        },
      )
    }
    case 'deactivate':
      return effect(solanaSentence('unstake', { account: value(instruction.accounts.stake) }), {
        lines: [line('account', value(instruction.accounts.stake))],
        weight: 3,
        findings: [unasked()],
      })
    case 'withdraw': {
      const { accounts, args } = instruction
      const values = {
        amount: solValue(args.lamports),
        account: value(accounts.stake),
        to: value(accounts.destination),
      }
      return effect(solanaSentence('stake.withdraw', values), {
        lines: [line('receiver', values.to)],
        moves: [solMove(accounts.stake, accounts.destination, args.lamports, wallet)],
        findings: [uncompared()],
      })
    }
    case 'split':
    case 'moveStake':
    case 'moveLamports': {
      const { accounts, args } = instruction
      const values = {
        amount: solValue(args.lamports),
        from: value(accounts.stake),
        to: value(accounts.target),
      }
      return effect(solanaSentence('stake.move', values), {
        lines: [line('receiver', values.to)],
        findings: [unasked()],
      })
    }
    case 'merge': {
      const { accounts } = instruction
      const values = { from: value(accounts.stake), to: value(accounts.target) }
      return effect(solanaSentence('stake.merge', values), {
        lines: [line('receiver', values.to)],
        findings: [unasked()],
      })
    }
    case 'authorize':
    case 'authorizeChecked':
    // The authority is derived from the account that signs.
    case 'authorizeWithSeed':
    case 'authorizeCheckedWithSeed': {
      const { accounts, args } = instruction
      return newAuthority(
        {
          stake: accounts.stake,
          owner: keyOf(instruction, 'newAuthority'),
          canWithdraw: args.role !== 0n,
          isOwn: accounts.authority === wallet,
        },
        place,
      )
    }
    default:
      return undefined
  }
}

/** A deposit into a stake pool starts with the same authority change, and fails unless the new authority is the pool's. */
function newAuthority(
  {
    stake,
    owner,
    canWithdraw,
    isOwn,
  }: { stake: string; owner: string; canWithdraw: boolean; isOwn: boolean },
  place: Place,
): Effect {
  const values = { account: accountValue(stake, place), owner: accountValue(owner, place) }
  const isDeposit = place.instructions.some(
    ({ programId, extraAccounts }) =>
      stakePools.includes(programId) && [stake, owner].every((one) => extraAccounts.includes(one)),
  )
  const isLoss = canWithdraw && isOwn && owner !== place.wallet && !isDeposit
  return effect(solanaSentence(canWithdraw ? 'stake.authority' : 'stake.staker', values), {
    lines: [line('account', values.account), line('signer', values.owner)],
    findings: [
      authorityChange(
        isLoss ? 'danger' : 'warning',
        canWithdraw
          ? 'It lets another account withdraw the stake.'
          : 'It lets another account choose the validator of the stake.',
      ),
    ],
  })
}
