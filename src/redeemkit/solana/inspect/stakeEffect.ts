import type { Effect } from '../../core/inspection/effect.ts'
import type { InspectionValue } from '../../core/inspection/inspection.ts'
import { line } from '../../core/inspection/values.ts'
import type { DecodedInstruction } from '../transaction/readInstruction.ts'
import {
  accountValue,
  authorityChange,
  keyOf,
  type Place,
  solanaEffect,
  solMove,
  solValue,
  unasked,
  uncompared,
} from './instructionValues.ts'
import { isStakeDeposit } from './otherPrograms.ts'

type StakeInstruction = Extract<DecodedInstruction, { program: 'stake' }>

export function stakeEffect(instruction: StakeInstruction, place: Place): Effect | undefined {
  const { wallet, instructions } = place
  const value = (account: string) => accountValue(account, place)
  switch (instruction.name) {
    case 'initialize':
    case 'initializeChecked': {
      const { args } = instruction
      const withdrawer = keyOf(instruction, 'withdrawer')
      const isOwn = withdrawer === wallet
      const values = { account: value(instruction.accounts.stake), owner: value(withdrawer) }
      // The stake stays locked until a time or an epoch, unless the custodian agrees.
      if (
        isOwn &&
        'custodian' in args &&
        args.custodian !== wallet &&
        args.lockedUntil + args.lockedUntilEpoch > 0n
      )
        return locking(values, 'danger')
      return solanaEffect('stake.owner', values, {
        lines: [line('account', values.account)],
        weight: isOwn ? 1 : 3,
        findings: [isOwn ? unasked() : authorityChange('warning', 'Another account can withdraw the stake.')],
      })
    }
    case 'setLockup':
    case 'setLockupChecked': {
      // The data has an optional time, an optional epoch and the new custodian. A custodian alone locks nothing.
      const data = place.data[instructions.indexOf(instruction)] ?? []
      const isLocked = data[4] === 1 || data[5] === 1
      return locking({ account: value(instruction.extraAccounts[0] ?? '') }, isLocked ? 'danger' : 'warning')
    }
    case 'delegate': {
      const { stake, validator } = instruction.accounts
      const created = instructions.find(
        (one) =>
          (one.name === 'createAccount' || one.name === 'createAccountWithSeed') &&
          one.accounts.account === stake,
      )
      const amount = created && 'lamports' in created.args ? created.args.lamports : undefined
      const values = {
        account: value(stake),
        validator: value(validator),
        ...(typeof amount === 'bigint' && { amount: solValue(amount) }),
      }
      return solanaEffect('amount' in values ? 'stake' : 'stake.account', values, {
        lines: [line('account', values.account), line('receiver', values.validator)],
        weight: 3,
        findings: [unasked()],
      })
    }
    case 'deactivate': {
      const values = { account: value(instruction.accounts.stake) }
      return solanaEffect('unstake', values, {
        lines: [line('account', values.account)],
        weight: 3,
        findings: [unasked()],
      })
    }
    case 'withdraw': {
      const { stake, destination, authority } = instruction.accounts
      const { lamports } = instruction.args
      const values = { amount: solValue(lamports), account: value(stake), to: value(destination) }
      return solanaEffect('stake.withdraw', values, {
        lines: [line('receiver', values.to)],
        moves: [solMove({ from: stake, to: destination, authority }, lamports, wallet)],
        findings: [uncompared()],
      })
    }
    case 'split':
    case 'moveStake':
    case 'moveLamports':
    case 'merge': {
      const { accounts, args } = instruction
      const values = { from: value(accounts.stake), to: value(accounts.target) }
      const more = { lines: [line('receiver', values.to)], findings: [unasked()] }
      return 'lamports' in args
        ? solanaEffect('stake.move', { amount: solValue(args.lamports), ...values }, more)
        : solanaEffect('stake.merge', values, more)
    }
    case 'authorize':
    case 'authorizeChecked':
    // The authority is derived from the account that signs.
    case 'authorizeWithSeed':
    case 'authorizeCheckedWithSeed':
      return newAuthority(instruction, place)
    default:
      return undefined
  }
}

const locking = (values: { account: InspectionValue }, severity: 'warning' | 'danger') =>
  solanaEffect('stake.lock', values, {
    lines: [line('account', values.account)],
    findings: [authorityChange(severity, 'The transaction can lock the stake.')],
  })

/** A deposit into a stake pool starts with this change too. It fails unless the new authority is the pool's, so it is no danger. */
function newAuthority(
  instruction: Extract<StakeInstruction, { name: `authorize${string}` }>,
  place: Place,
): Effect {
  const { stake, authority } = instruction.accounts
  const owner = keyOf(instruction, 'newAuthority')
  const canWithdraw = instruction.args.role !== 0n
  const values = { account: accountValue(stake, place), owner: accountValue(owner, place) }
  const isDeposit = place.instructions.some(
    ({ programId, extraAccounts }, index) =>
      isStakeDeposit(programId, place.data[index]) &&
      [stake, owner].every((one) => extraAccounts.includes(one)),
  )
  const isLoss = canWithdraw && authority === place.wallet && owner !== place.wallet && !isDeposit
  return solanaEffect(canWithdraw ? 'stake.authority' : 'stake.staker', values, {
    lines: [line('account', values.account), line('signer', values.owner)],
    findings: [
      authorityChange(
        isLoss ? 'danger' : 'warning',
        canWithdraw
          ? 'The transaction lets another account withdraw the stake.'
          : 'The transaction lets another account choose the validator of the stake.',
      ),
    ],
  })
}
