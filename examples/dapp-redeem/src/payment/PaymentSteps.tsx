import type { RedeemButtonStep, RedeemButtonView } from 'redeemkit/wagmi'

/** What the wallet is asked for: two signatures, or the one that is missing. */
export type Prompts = RedeemButtonView['prompts']

/** Whether a payment is on its way, so that its steps are shown instead of its button. */
export function isUnderWay(step: RedeemButtonStep): boolean {
  return underWay.includes(step)
}

const underWay: readonly RedeemButtonStep[] = [
  'switchingChain',
  'waitingForOther',
  'signingPermit',
  'secondClick',
  'signingUsdc',
  'submitting',
  'lookingUp',
  'confirming',
]

/** What is said of the step at hand: on the page, and to a screen reader. */
export function sayStep(
  step: RedeemButtonStep,
  { network, prompts }: { network: string; prompts: Prompts },
): string {
  switch (step) {
    case 'switchingChain':
      return `Your wallet asks you to switch to ${network}.`
    case 'waitingForOther':
      return 'This is being paid in another tab. The outcome is shown here, too.'
    case 'signingPermit':
      return prompts.length === 2
        ? 'Open your wallet and sign: the first of two, for your credits.'
        : 'Open your wallet and sign for your credits.'
    case 'secondClick':
      return 'The first signature is there. Your wallet needs one more, for the part in USDC.'
    case 'signingUsdc':
      return prompts.length === 2
        ? 'Open your wallet and sign: the second of two, for the part in USDC.'
        : 'Open your wallet and sign for the part in USDC. What you signed before is kept.'
    case 'submitting':
      return 'Signed. Your payment is being sent now.'
    case 'lookingUp':
      return 'No clear answer came. We look for your payment on the chain; there is nothing for you to do.'
    case 'confirming':
      return 'Sent. We wait until the chain has it.'
    default:
      return ''
  }
}

/** The way of a payment, with the step at hand. */
export function PaymentSteps(props: { step: RedeemButtonStep; network: string; prompts: Prompts }) {
  const { step, network, prompts } = props
  const stages = [
    ...(prompts.includes('creditPermit')
      ? [{ title: 'Sign for your credits', steps: ['signingPermit'] }]
      : []),
    ...(prompts.includes('usdcAuthorization')
      ? [{ title: 'Sign for your USDC', steps: ['secondClick', 'signingUsdc'] }]
      : []),
    // What is looked for may not have been sent.
    { title: 'Send', steps: ['submitting', 'lookingUp'] },
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
