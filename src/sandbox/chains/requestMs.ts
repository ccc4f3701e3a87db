/** Without a limit, a node that hangs would hang the service. */
export const requestMs = 10_000
