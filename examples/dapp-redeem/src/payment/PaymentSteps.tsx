import type { RedeemButtonStep, RedeemButtonView } from 'redeemkit/wagmi'

/** The wallet's prompts: two signatures, or the one that is still missing. */
export type Prompts = RedeemButtonView['prompts']

type Stage = 'credits' | 'usdc' | 'send' | 'confirm'

/** `stage` is the index in `PaymentSteps`. Returns `undefined` when no payment is running. */
export function describeStep(
  step: RedeemButtonStep,
  { network, prompts }: { network: string; prompts: Prompts },
): { stage?: Stage; text: string } | undefined {
  switch (step) {
    case 'switchingChain':
      return { text: `Your wallet asks you to switch to ${network}.` }
    case 'waitingForOther':
      return { text: 'You are paying in another tab. The result will also appear here.' }
    case 'signingPermit':
      return {
        stage: 'credits',
        text:
          prompts.length === 2
            ? 'Open your wallet and sign for your credits (1 of 2).'
            : 'Open your wallet and sign for your credits.',
      }
    case 'secondClick':
      return { stage: 'usdc', text: 'First signature done. One more is needed, for the part in USDC.' }
    case 'signingUsdc':
      return {
        stage: 'usdc',
        text:
          prompts.length === 2
            ? 'Open your wallet and sign for the part in USDC (2 of 2).'
            : 'Open your wallet and sign for the part in USDC. Your first signature was saved.',
      }
    case 'submitting':
      return { stage: 'send', text: 'Signed. Sending your payment.' }
    case 'lookingUp':
      return {
        stage: 'send', // The payment may have been submitted.
        text: 'We are checking the chain for your payment. You don’t need to do anything. Please don’t pay again.',
      }
    case 'stillWaiting':
      return {
        stage: 'send',
        text: 'Still waiting for the payment service. Please don’t pay again. This page updates by itself.',
      }
    case 'confirming':
      return { stage: 'confirm', text: 'Sent. Waiting for confirmation.' }
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

export function PaymentSteps(props: { step: RedeemButtonStep; network: string; prompts: Prompts }) {
  const { step, network, prompts } = props
  const titles: Partial<Record<Stage, string>> = {
    ...(prompts.includes('creditPermit') && { credits: 'Sign for your credits' }),
    ...(prompts.includes('usdcAuthorization') && { usdc: 'Sign for your USDC' }),
    send: 'Send',
    confirm: `Confirmed on ${network}`,
  }
  const stages = Object.entries(titles)
  const now = describeStep(step, { network, prompts })
  const at = stages.findIndex(([stage]) => stage === now?.stage)
  return (
    <ol className="steps" aria-label="Steps of your payment">
      {stages.map(([stage, title], index) => {
        const state = index < at ? 'done' : index === at ? 'now' : 'next'
        return (
          <li key={stage} className={state} {...(state === 'now' && { 'aria-current': 'step' })}>
            <span className="step-mark" aria-hidden="true">
              {state === 'done' ? '✓' : index + 1}
            </span>
            <span>
              {title}
              {state === 'done' && <span className="for-ears">, done</span>}
              {state === 'now' && <span className="step-note">{now?.text}</span>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
