/** What the buttons of the dashboard do: each is one call of the service, made of the fields of its form. */
export const actions: Readonly<Record<string, Action>> = {
  decideProgram: {
    done: ({ approved }) => (approved === 'true' ? 'Approved.' : 'Rejected.'),
    call: ({ blockchain, programId, selector, approved }) => ({
      path: '/sandbox/program',
      body: {
        blockchain,
        programId,
        ...(selector !== undefined && { selector }),
        approved: approved === 'true',
      },
    }),
  },
  moveClock: {
    done: () => 'The clock has moved, on the service and on its chains.',
    call: ({ advanceSeconds }) => ({
      path: '/sandbox/clock',
      body: { advanceSeconds: Number(advanceSeconds) },
    }),
  },
  pay: {
    done: () => 'The money has arrived.',
    call: ({ paymentId }) => ({ path: `/sandbox/payments/${part(paymentId)}/pay`, body: {} }),
  },
  dispute: {
    done: () => 'The payment is disputed.',
    call: ({ paymentId }) => ({ path: `/sandbox/payments/${part(paymentId)}/dispute`, body: {} }),
  },
  decideDispute: {
    done: ({ won }) => (won === 'true' ? 'The dispute is won.' : 'The dispute is lost.'),
    call: ({ paymentId, won }) => ({
      path: `/sandbox/payments/${part(paymentId)}/decide`,
      body: { won: won === 'true' },
    }),
  },
  changeSubscription: {
    done: () => 'The subscription has changed.',
    call: ({ subscriptionId, change }) => ({
      path: `/sandbox/subscription/subscribers/${part(subscriptionId)}/${part(change)}`,
      body: {},
    }),
  },
  resend: {
    done: () => 'It is sent again, under the same id.',
    call: ({ id }) => ({ path: '/sandbox/webhooks/resend', body: { id } }),
  },
  switchFault: {
    done: () => 'The fault is on.',
    call: ({ path, kind, delayMs, status, times }) => ({
      path: '/sandbox/fault',
      body: {
        path,
        kind,
        ...(kind === 'slow' && { delayMs: Number(delayMs) }),
        ...(kind === 'status' && { status: Number(status) }),
        ...(times !== undefined && times !== '' && { times: Number(times) }),
      },
    }),
  },
  clearFault: {
    done: () => 'The fault is off.',
    call: ({ faultId }) => ({
      path: '/sandbox/fault/clear',
      body: faultId === undefined ? {} : { faultId },
    }),
  },
}

type Fields = Readonly<Record<string, string | undefined>>

export type Action = {
  /** What is said when it went through. */
  done: (fields: Fields) => string
  call: (fields: Fields) => { path: string; body: object }
}

const part = (text: string | undefined) => encodeURIComponent(text ?? '')
