const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#12423a"/><path d="M7 10h18v10a5 5 0 0 1-5 5h-8a5 5 0 0 1-5-5z" fill="#e8f3ee"/><path d="M7 14h18" stroke="#12423a" stroke-width="2"/><circle cx="16" cy="19.5" r="2" fill="#12423a"/></svg>`

/** The wallet's icon as a data URI (EIP-6963). */
export const icon = `data:image/svg+xml,${encodeURIComponent(image)}`
