import {
  BaseError,
  formatAmount,
  InsufficientFundsError,
  isOpenRedeemError,
  type RandomNonceOutcome,
  type RedeemOutcome,
  type RedeemStep,
  UserRejectedError,
  userMessage,
} from 'redeemkit'

export const stages = [
  'Check the order',
  'Confirm in your wallet',
  'Send the payment',
  'Wait for the chain',
] as const

/** `stage` is an index of `stages`. Returns `undefined` for steps without a text. */
export function describeStep(step: RedeemStep): { stage: number; text: string } | undefined {
  switch (step.step) {
    case 'waitingForOther':
      return { stage: 0, text: 'You are paying this order in another tab.' }
    case 'resuming':
      return { stage: 0, text: 'Resuming the payment that you started earlier.' }
    case 'preparing':
      return { stage: 0, text: 'Preparing your payment.' }
    case 'preparingAgain':
      return { stage: 0, text: 'The network fee has changed. Please confirm again in your wallet.' }
    case 'signing':
      return {
        stage: 1,
        text: `Sign for ${step.prompt === 'creditPermit' ? 'your credits' : 'the USDC part'} in your wallet.`,
      }
    case 'submitting':
      return {
        stage: 2,
        text: step.attempt === 1 ? 'Sending your payment.' : 'Sending the same payment again.',
      }
    case 'lookingUp':
      return { stage: 3, text: "We are checking the chain for your payment. Please don't pay again." }
    case 'stillWaiting':
      return { stage: 2, text: "Still waiting for the payment service. Please don't pay again." }
    case 'waiting':
      return { stage: 3, text: 'Sent. Waiting for confirmation.' }
    case 'prepared':
    case 'permitSigned':
    case 'signed':
    case 'submitted':
    case 'redeemed':
    case 'notStored':
      return undefined
  }
}

export const dollars = (amount: bigint) => formatAmount(amount, { decimals: 6, minimumPlaces: 2 })

export function describeOutcome(outcome: RedeemOutcome | RandomNonceOutcome): [string, string][] {
  // Contracts with random nonces do not report what was charged.
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

/** `uncertain`: the payment may have been made. */
export function describeError(error: unknown): { title: string; toDo: string; uncertain: boolean } {
  if (isOpenRedeemError(error))
    return {
      title: 'We are still confirming your payment.',
      toDo: 'Click the button again to check. You will not be charged twice.',
      uncertain: true,
    }
  if (error instanceof UserRejectedError)
    return {
      title: userMessage(error),
      toDo: 'Click the button again when you want to pay.',
      uncertain: false,
    }
  if (error instanceof InsufficientFundsError)
    return {
      title: `You have ${dollars(error.have)}, but need ${dollars(error.need)}.`,
      toDo: error.fix ?? '',
      uncertain: false,
    }
  if (error instanceof BaseError)
    return { title: error.shortMessage, toDo: error.fix ?? 'Click the button again.', uncertain: false }
  return {
    title: 'Something went wrong on this page or in your wallet.',
    toDo: 'Reload the page and click the button again. You will not be charged twice.',
    uncertain: true,
  }
}
