import type { RedeemButtonStep, RedeemButtonView } from 'redeemkit/wagmi'

/** The wallet's prompts: two signatures, or the one that is still missing. */
export type Prompts = RedeemButtonView['prompts']

/** Describes the step of a running payment, on the page and for screen readers. Returns `undefined` when none is running. */
export function sayStep(
  step: RedeemButtonStep,
  { network, prompts }: { network: string; prompts: Prompts },
): string | undefined {
  switch (step) {
    case 'switchingChain':
      return `Your wallet asks you to switch to ${network}.`
    case 'waitingForOther':
      return 'You are paying in another tab. The result will also appear here.'
    case 'signingPermit':
      return prompts.length === 2
        ? 'Open your wallet and sign for your credits (1 of 2).'
        : 'Open your wallet and sign for your credits.'
    case 'secondClick':
      return 'First signature done. One more is needed, for the part in USDC.'
    case 'signingUsdc':
      return prompts.length === 2
        ? 'Open your wallet and sign for the part in USDC (2 of 2).'
        : 'Open your wallet and sign for the part in USDC. Your first signature was saved.'
    case 'submitting':
      return 'Signed. Sending your payment.'
    case 'lookingUp':
      return 'We are checking the chain for your payment. You don’t need to do anything. Please don’t pay again.'
    case 'stillWaiting':
      return 'Still waiting for the payment service. Please don’t pay again. This page continues by itself.'
    case 'confirming':
      return 'Sent. Waiting for confirmation.'
    case 'notConnected':
    case 'wrongChain':
    case 'preparing':
    case 'checking':
    case 'failed':
    case 'ready':
    case 'open':
    case 'done':
      return undefined
  }
}

/** Lists the steps of a payment and marks the current one. */
export function PaymentSteps(props: { step: RedeemButtonStep; network: string; prompts: Prompts }) {
  const { step, network, prompts } = props
  const stages = [
    ...(prompts.includes('creditPermit')
      ? [{ title: 'Sign for your credits', steps: ['signingPermit'] }]
      : []),
    ...(prompts.includes('usdcAuthorization')
      ? [{ title: 'Sign for your USDC', steps: ['secondClick', 'signingUsdc'] }]
      : []),
    // While looking up, it is unknown whether the payment was submitted.
    { title: 'Send', steps: ['submitting', 'lookingUp', 'stillWaiting'] },
    { title: `Confirmed on ${network}`, steps: ['confirming'] },
  ]
  const at = stages.findIndex(({ steps }) => steps.includes(step))
  return (
    <ol className="steps" aria-label="Steps of your payment">
      {stages.map(({ title }, index) => {
        const state = index < at ? 'done' : index === at ? 'now' : 'next'
        return (
          <li key={title} className={state} {...(state === 'now' && { 'aria-current': 'step' })}>
            <span className="step-mark" aria-hidden="true">
              {state === 'done' ? '✓' : index + 1}
            </span>
            <span>
              {title}
              {state === 'done' && <span className="for-ears">, done</span>}
              {state === 'now' && <span className="step-note">{sayStep(step, { network, prompts })}</span>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
