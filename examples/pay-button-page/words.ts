import {
  BaseError,
  formatAmount,
  InsufficientFundsError,
  isOpenRedeemError,
  type RandomNonceOutcome,
  type RedeemOutcome,
  type RedeemStep,
  UserRejectedError,
} from 'redeemkit'

/** The four lines that the page shows, and how far each step is. */
export const stages = [
  'Check the order',
  'Confirm in your wallet',
  'Send the payment',
  'Wait for the chain',
] as const

/** Where the payment is, in words; `stage` is an index of `stages`. A step that is not named changes nothing. */
export function describeStep(step: RedeemStep): { stage: number; text: string } | undefined {
  switch (step.step) {
    case 'waitingForOther':
      return { stage: 0, text: 'This order is being paid in another tab.' }
    case 'resuming':
      return { stage: 0, text: 'You began to pay this order before. Going on with that.' }
    case 'preparing':
      return { stage: 0, text: 'Asking the service what there is to sign.' }
    case 'preparingAgain':
      return { stage: 0, text: 'The network fee has changed. Your wallet will ask you once more.' }
    case 'signing':
      return {
        stage: 1,
        text: `Your wallet asks you to sign for ${step.prompt === 'creditPermit' ? 'your credits' : 'the USDC part'}.`,
      }
    case 'submitting':
      return { stage: 2, text: step.attempt === 1 ? 'Sending.' : 'Sending the same payment once more.' }
    case 'lookingUp':
      return { stage: 3, text: 'No clear answer came. Looking for the payment on the chain.' }
    case 'waiting':
      return { stage: 3, text: 'Sent. Waiting until the chain has it.' }
    default:
      return undefined
  }
}

export const dollars = (amount: bigint) => formatAmount(amount, { decimals: 6, minimumPlaces: 2 })

/** What moved, as the chain says. */
export function describeOutcome(outcome: RedeemOutcome | RandomNonceOutcome): [string, string][] {
  // A service that knows no bound permits: the contract does not tell what was charged.
  if (!('charged' in outcome))
    return [
      ...outcome.movements
        .filter(({ standard, direction }) => standard === 'ERC-20' && direction !== 'in')
        .map(({ direction, amount }): [string, string] => [
          direction === 'paid' ? 'Paid' : 'In USDC',
          dollars(amount),
        ]),
      ['Transaction', outcome.hash],
    ]
  const { amount, usdcAmount, charged, gasFee, refunded, hash } = outcome
  return [
    ['Order', dollars(amount)],
    ['Network fee', dollars(gasFee)],
    ['From your credits', dollars(charged)],
    ...(usdcAmount > 0n ? [['In USDC', dollars(usdcAmount)]] : []),
    ...(refunded > 0n ? [['Back to your credits', dollars(refunded)]] : []),
    ['Transaction', hash],
  ] as [string, string][] // pairs of a name and its value
}

/** What went wrong, and what the customer can do. `uncertain`: the payment may have been made. */
export function describeError(error: unknown): { title: string; toDo: string; uncertain: boolean } {
  if (isOpenRedeemError(error))
    return {
      title: 'It is not certain yet whether you have paid.',
      toDo: 'Click the button again. It looks for this payment and goes on with it; you pay once.',
      uncertain: true,
    }
  if (error instanceof UserRejectedError)
    return {
      title: 'You said no in your wallet, and nothing was paid.',
      toDo: 'Click the button again when you want to pay.',
      uncertain: false,
    }
  if (error instanceof InsufficientFundsError)
    return {
      title: `You have ${dollars(error.have)} where ${dollars(error.need)} is needed.`,
      toDo: error.fix ?? '',
      uncertain: false,
    }
  if (error instanceof BaseError)
    return { title: error.shortMessage, toDo: error.fix ?? 'Click the button again.', uncertain: false }
  return {
    title: 'Something in this page or in your wallet failed.',
    toDo: 'Reload the page and click the button again. You pay once.',
    uncertain: true,
  }
}
