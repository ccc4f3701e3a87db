import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, scValToBigInt, xdr } from '../../../redeemkit/stellar/sdk.ts'
import { addressValue, type Contract, type ContractContext, i128Value } from './ledger/contract.ts'

const failures = { alreadySettled: 1, forbiddenContract: 2, otherAmountTaken: 3, zeroAmount: 4, malformed: 5 }

/**
 * The contract that settles payments (PROTOCOL.md 10.2): it pays a receiver with the operator's USDC, or lets a merchant contract take
 * the amount with `transfer_from`. Payments are atomic, each id settles once, and only the operator may call it.
 *
 * - `pay(id, amount, to)`
 * - `execute(id, amount, contract, function, args)`
 * - `settled(id)`, a boolean
 */
export function settlementContract(options: { operator: string; usdc: string }): Contract {
  const { operator, usdc } = options
  const begin = (context: ContractContext, id: Xdr.ScVal, amount: bigint) => {
    context.requireAuth(operator)
    if (context.get(id) !== undefined) context.fail(failures.alreadySettled)
    if (amount <= 0n) context.fail(failures.zeroAmount)
    context.set(id, xdr.ScVal.scvBool(true))
  }
  return {
    pay(context, id, amount, to) {
      if (!id || !amount || !to) return context.fail(failures.malformed)
      const value = scValToBigInt(amount)
      begin(context, id, value)
      context.transferUsdc(operator, Address.fromScVal(to).toString(), value)
      return undefined
    },
    execute(context, id, amount, contract, functionName, args) {
      if (!id || !amount || !contract || !functionName || !args) return context.fail(failures.malformed)
      const [value, target] = [scValToBigInt(amount), Address.fromScVal(contract).toString()]
      const { self } = context
      begin(context, id, value)
      if (target === usdc) context.fail(failures.forbiddenContract)
      context.transferUsdc(operator, self, value)
      // The allowance is valid in this ledger only.
      const until = xdr.ScVal.scvU32(context.ledger.sequence)
      context.call(usdc, 'approve', [addressValue(self), contract, amount, until])
      context.call(target, functionName.sym().toString(), args.vec() ?? [])
      const left = context.call(usdc, 'allowance', [addressValue(self), contract])
      if (scValToBigInt(left) !== 0n) context.fail(failures.otherAmountTaken)
      return undefined
    },
    settled: (context, id) => xdr.ScVal.scvBool(id !== undefined && context.get(id) !== undefined),
  }
}

export function settlementArgs(
  payment: { id: Buffer; amount: bigint },
  ...more: readonly Xdr.ScVal[]
): readonly Xdr.ScVal[] {
  return [xdr.ScVal.scvBytes(payment.id), i128Value(payment.amount), ...more]
}
