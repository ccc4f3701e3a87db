/** Made from form/ by bundleForm.ts. Not edited by hand. */
export const cardScript = `"use strict";
(() => {
  function passesLuhn(digits) {
    const sum = [...digits].reverse().reduce((total, digit, index) => {
      const value = index % 2 === 0 ? Number(digit) : 2 * Number(digit);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    return sum % 10 === 0;
  }

  function formatNumber(typed) {
    const digits = typed.replace(/\\D/g, "").slice(0, 19);
    const groups = isFifteen(digits) ? /^(\\d{0,4})(\\d{0,6})(\\d{0,5})/ : /(\\d{0,4})(\\d{0,4})(\\d{0,4})(\\d{0,4})(\\d{0,3})/;
    return (groups.exec(digits) ?? []).slice(1).filter(Boolean).join(" ");
  }
  function formatExpiry(typed) {
    const [, year, month] = /^\\s*20(\\d\\d)\\D+(\\d{1,2})\\s*$/.exec(typed) ?? [];
    const text = year === void 0 ? typed : \`\${month}/\${year}\`;
    const [first = "", ...rest] = text.split(/\\D+/).filter(Boolean);
    const digits = first.length === 1 && (rest.length > 0 || Number(first) > 1) ? \`0\${first}\` : first;
    const whole = (digits + rest.join("")).replace(/^(\\d\\d)20(\\d\\d)$/, "$1$2").slice(0, 4);
    const isOpen = whole.length === 2 && /\\D\\s*$/.test(typed);
    return whole.length > 2 || isOpen ? \`\${whole.slice(0, 2)} / \${whole.slice(2)}\` : whole;
  }
  function formatCvv(typed) {
    return typed.replace(/\\D/g, "").slice(0, 4);
  }
  function findProblems(fields, { now, asksEmail }) {
    const number = fields.number.replace(/\\D/g, "");
    const cvvLength = isFifteen(number) ? /^\\d{4}$/ : /^\\d{3,4}$/;
    const isNumber = number.length >= 12 && number.length <= 19 && passesLuhn(number);
    const problems = {
      email: asksEmail ? emailProblem(fields.email.trim()) : void 0,
      number: number === "" ? "numberMissing" : isNumber ? void 0 : "numberWrong",
      expiry: expiryProblem(fields.expiry, now),
      cvv: fields.cvv === "" ? "cvvMissing" : cvvLength.test(fields.cvv) ? void 0 : "cvvWrong",
      name: fields.name.trim() === "" ? "nameMissing" : void 0
    };
    return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== void 0));
  }
  function cardOf({ number, expiry, cvv }) {
    const [expMonth = "", expYear = ""] = expiry.split(/\\D+/);
    return { number: number.replace(/\\D/g, ""), expMonth, expYear, cvv };
  }
  function emailProblem(email) {
    if (email === "") return "emailMissing";
    return /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/.test(email) ? void 0 : "emailWrong";
  }
  function expiryProblem(expiry, now) {
    if (expiry.trim() === "") return "expiryMissing";
    const [, month = "", year = ""] = /^(\\d\\d) \\/ (\\d\\d)$/.exec(expiry) ?? [];
    if (Number(month) < 1 || Number(month) > 12) return "expiryWrong";
    const end = Date.UTC(2e3 + Number(year), Number(month)) + 12 * 36e5;
    return now >= end ? "expiryPast" : void 0;
  }
  function isFifteen(digits) {
    return /^3[47]/.test(digits);
  }

  function isRecord(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  }
  function textOf(value, most) {
    return typeof value === "string" && value !== "" && value.length <= most ? value : void 0;
  }

  var mark = { svc: "card-form", version: 1 };
  function openChannel(parent, on) {
    let giveKey;
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== window.parent || origin !== parent || !isRecord(data)) return;
      if (data.svc !== mark.svc || data.version !== mark.version) return;
      if (data.type === "look") on.look(readLook(data.look));
      if (data.type === "sessionKey") giveKey?.(textOf(data.sessionKey, mostKey));
      const start = data.type === "start" ? readStart(data) : void 0;
      if (start !== void 0) on.start(start);
    });
    const tell2 = (type, facts = {}) => window.parent.postMessage({ ...mark, ...facts, type }, parent);
    return {
      tell: tell2,
      askSessionKey: () => new Promise((resolve) => {
        const late = setTimeout(() => resolve(void 0), keyMs);
        giveKey = (key) => {
          clearTimeout(late);
          giveKey = void 0;
          resolve(key);
        };
        tell2("sessionKey");
      })
    };
  }
  var mostKey = 8192;
  var keyMs = 2e4;
  var mostOrder = 128 * 1024;
  function readStart(data) {
    const sessionKey = textOf(data.sessionKey, mostKey);
    const purchaseId = textOf(data.purchaseId, 256);
    const order = isRecord(data.order) ? data.order : {};
    if (sessionKey === void 0 || purchaseId === void 0) return void 0;
    if (JSON.stringify(order).length > mostOrder) return void 0;
    return {
      sessionKey,
      purchaseId,
      order,
      jwtToken: textOf(data.jwtToken, 64 * 1024),
      wallet: textOf(data.wallet, 256),
      blockchain: textOf(data.blockchain, 32),
      userId: textOf(data.userId, 256),
      deviceId: textOf(data.deviceId, 256),
      email: textOf(data.email, 256),
      environment: textOf(data.environment, 16),
      offersSaving: data.offersSaving === true,
      look: readLook(data.look)
    };
  }
  function readLook(look2) {
    const { language, colorScheme, variables: variables2 } = isRecord(look2) ? look2 : {};
    return {
      language: textOf(language, 16),
      colorScheme: textOf(colorScheme, 8),
      variables: isRecord(variables2) ? variables2 : {}
    };
  }

  var color = /^(#[0-9a-f]{3,8}|[a-z]{3,24}|(rgb|rgba|hsl|hsla|oklch|oklab|lab|lch)\\([\\d.,%/ a-z+-]{1,60}\\))$/i;
  var size = /^\\d{1,3}(\\.\\d{1,3})?(px|rem|em)$/;
  var variables = {
    "--purchase-accent": color,
    "--purchase-on-accent": color,
    "--purchase-background": color,
    "--purchase-field": color,
    "--purchase-text": color,
    "--purchase-faint": color,
    "--purchase-border": color,
    "--purchase-danger": color,
    "--purchase-success": color,
    "--purchase-radius": size,
    "--purchase-font-size": size,
    "--purchase-font": /^[\\w\\s"',-]{1,160}$/
  };
  function setLook({ colorScheme, variables: wanted }) {
    const { style, dataset } = document.documentElement;
    dataset.scheme = colorScheme === "light" || colorScheme === "dark" ? colorScheme : "auto";
    for (const [name, pattern] of Object.entries(variables)) {
      const value = wanted[name];
      if (typeof value === "string" && pattern.test(value)) style.setProperty(name, value);
      else style.removeProperty(name);
    }
  }

  function attemptsOf(key) {
    const name = \`card-form \${key}\`;
    return {
      read: () => {
        try {
          const kept = JSON.parse(sessionStorage.getItem(name) ?? "null");
          return isRecord(kept) ? kept : {};
        } catch {
          return {};
        }
      },
      write: (attempt) => {
        try {
          if (attempt === void 0) sessionStorage.removeItem(name);
          else sessionStorage.setItem(name, JSON.stringify(attempt));
        } catch {
        }
      }
    };
  }

  function callsOf(settings, { start, channel }) {
    const { headers: names } = settings;
    let { sessionKey } = start;
    const send2 = async (path, body) => {
      const { wallet, blockchain, userId, deviceId } = start;
      const headers = {
        "content-type": "application/json",
        [names.sessionKey]: sessionKey,
        ...wallet !== void 0 && { [names.wallet]: wallet },
        ...blockchain !== void 0 && { [names.blockchain]: blockchain },
        ...userId !== void 0 && { [names.userId]: userId },
        ...deviceId !== void 0 && { [names.deviceId]: deviceId }
      };
      try {
        const response = await fetch(path, {
          method: "POST",
          headers,
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(answerMs)
        });
        const answer = await response.json();
        return isRecord(answer) ? { status: response.status, body: answer } : void 0;
      } catch {
        return void 0;
      }
    };
    let another;
    return async (path, body) => {
      const used = sessionKey;
      const answer = await send2(path, body);
      if (answer?.status !== 401) return answer;
      if (sessionKey === used) {
        another ??= channel.askSessionKey().finally(() => {
          another = void 0;
        });
        sessionKey = await another ?? sessionKey;
      }
      return sessionKey === used ? answer : send2(path, body);
    };
  }
  var answerMs = 3e4;
  function isUndecided({ status }) {
    return status >= 500 || status === 408 || status === 429;
  }
  function codeOf({ status, body }) {
    const code = textOf(body.code, 40);
    if (code !== void 0) return code;
    if (status === 412 && challengeOf({ status, body }) !== void 0) return "CHALLENGE_REQUIRED";
    return codesOfStatus[status] ?? "INVALID_REQUEST";
  }
  var codesOfStatus = {
    401: "UNAUTHENTICATED",
    402: "CARD_DECLINED",
    403: "FORBIDDEN",
    409: "PAYMENT_STATE",
    423: "CUSTOMER_BLOCKED",
    429: "RATE_LIMITED"
  };
  function challengeOf({ body }) {
    const { transactionId, url } = { ...body, ...detailsOf(body) };
    const id = textOf(transactionId, 256);
    const address = textOf(url, 2048);
    if (id === void 0 || address === void 0 || !/^https?:\\/\\//.test(address)) return void 0;
    return { transactionId: id, url: address };
  }
  function detailsOf(body) {
    return isRecord(body.details) ? body.details : {};
  }

  function readOrder({ order, jwtToken, email }) {
    const pinned = readPinned(jwtToken);
    const token = jwtToken === void 0 ? {} : { jwtToken };
    return {
      fields: { ...pinned.subtotal !== void 0 && { subtotal: pinned.subtotal }, ...order, ...token },
      name: JSON.stringify([pinned, order]),
      authOnly: (order.authOnly ?? pinned.authOnly) === true,
      email: email ?? emailOf(pinned) ?? emailOf(order)
    };
  }
  function priceFields({ fields }) {
    return Object.fromEntries(Object.entries(fields).filter(([name]) => !ofCards.has(name)));
  }
  var ofCards = /* @__PURE__ */ new Set([
    "authOnly",
    "statementDescriptor",
    "threeDsChallengePreference",
    "accountFundingTransaction",
    "chargebackProtectionAccountType"
  ]);
  function readPinned(jwtToken) {
    try {
      const [, payload = ""] = jwtToken?.split(".") ?? [];
      const bytes = Uint8Array.from(
        atob(payload.replace(/-/g, "+").replace(/_/g, "/")),
        (one) => one.charCodeAt(0)
      );
      const claims = JSON.parse(new TextDecoder().decode(bytes));
      return isRecord(claims) && isRecord(claims.checkout) ? claims.checkout : {};
    } catch {
      return {};
    }
  }
  function emailOf({ email, customerInfo }) {
    return textOf(email, 256) ?? (isRecord(customerInfo) ? textOf(customerInfo.email, 256) : void 0);
  }

  function readPrice(totals) {
    if (!isRecord(totals)) return void 0;
    const total = centsOf(totals.total);
    const subtotal = centsOf(totals.subtotal);
    if (total === void 0 || subtotal === void 0) return void 0;
    const lines = Array.isArray(totals.lines) ? totals.lines : [];
    return {
      currency: total.currency,
      totalCents: total.cents,
      subtotalCents: subtotal.cents,
      lines: lines.flatMap((line) => {
        const { label, cents } = isRecord(line) ? line : {};
        return typeof label === "string" && typeof cents === "number" ? [{ label: label.slice(0, 120), cents }] : [];
      })
    };
  }
  function centsOf(value) {
    if (!isRecord(value) || typeof value.cents !== "number") return void 0;
    return { cents: value.cents, currency: typeof value.currency === "string" ? value.currency : "USD" };
  }

  var noAnswer = { code: "UNAVAILABLE", message: "The service does not answer." };
  function refusalOf(answer) {
    const { body } = answer;
    const details = detailsOf(body);
    return {
      code: codeOf(answer),
      message: textOf(body.message, 2e3) ?? \`The service answered \${answer.status}.\`,
      paymentId: textOf(details.paymentId ?? body.paymentId, 256),
      reason: textOf(details.reason, 64)
    };
  }
  function isOfPayment(answer) {
    return answer.status === 200 || challengeOf(answer) !== void 0 || refusalOf(answer).paymentId !== void 0;
  }
  var fieldsOfCodes = {
    INVALID_CARD_NUMBER: "number",
    CARD_EXPIRED: "expiry",
    INVALID_CVV: "cvv"
  };

  var wireErrors = {
    INVALID_REQUEST: { status: 400, name: "InvalidRequestError", remedy: "fix" },
    UNSUPPORTED_SUBTOTAL: { status: 400, name: "UnsupportedSubtotalError", remedy: "fix" },
    INVALID_CARD_NUMBER: { status: 400, name: "InvalidCardNumberError", remedy: "fix" },
    CARD_EXPIRED: { status: 400, name: "CardExpiredError", remedy: "fix" },
    INVALID_CVV: { status: 400, name: "InvalidCvvError", remedy: "fix" },
    UNAUTHENTICATED: { status: 401, name: "UnauthenticatedError", remedy: "logIn" },
    CARD_DECLINED: { status: 402, name: "CardDeclinedError", remedy: "show" },
    FRAUD_SUSPECTED: { status: 402, name: "FraudSuspectedError", remedy: "show" },
    FORBIDDEN: { status: 403, name: "ForbiddenError", remedy: "stop" },
    NOT_WHITELISTED: { status: 403, name: "NotWhitelistedError", remedy: "stop" },
    FACTORY_NOT_ALLOWED: { status: 403, name: "FactoryNotAllowedError", remedy: "stop" },
    GEO_BLOCKED: { status: 403, name: "GeoBlockedError", remedy: "stop" },
    NOT_FOUND: { status: 404, name: "NotFoundError", remedy: "stop" },
    METHOD_NOT_ALLOWED: { status: 405, name: "MethodNotAllowedError", remedy: "fix" },
    INTENT_MISMATCH: { status: 409, name: "IntentMismatchError", remedy: "stop" },
    ORDER_UNDERWAY: { status: 409, name: "OrderUnderwayError", remedy: "stop" },
    ORDER_ALREADY_PAID: { status: 409, name: "OrderAlreadyPaidError", remedy: "stop" },
    ORDER_CANCELLED: { status: 409, name: "OrderCancelledError", remedy: "stop" },
    AMBIGUOUS_INTENT: { status: 409, name: "AmbiguousIntentError", remedy: "stop" },
    PAYMENT_STATE: { status: 409, name: "PaymentStateError", remedy: "stop" },
    SUBSCRIPTION_STATE: { status: 409, name: "SubscriptionStateError", remedy: "stop" },
    VERIFICATION_STATE: { status: 409, name: "VerificationStateError", remedy: "stop" },
    INSUFFICIENT_CREDITS: { status: 412, name: "InsufficientCreditsError", remedy: "backOff" },
    INSUFFICIENT_FUNDS: { status: 412, name: "MerchantBalanceError", remedy: "show" },
    EXCEEDS_AUTHORIZED: { status: 412, name: "ExceedsAuthorizedError", remedy: "prepareAgain" },
    SIMULATION_FAILED: { status: 412, name: "SimulationFailedError", remedy: "show" },
    PERMIT_EXPIRED: { status: 412, name: "PermitExpiredError", remedy: "prepareAgain" },
    INVALID_PERMIT: { status: 412, name: "InvalidPermitError", remedy: "prepareAgain" },
    INVALID_USDC_AUTHORIZATION: { status: 412, name: "InvalidUsdcAuthorizationError", remedy: "prepareAgain" },
    UNKNOWN_NONCE: { status: 412, name: "UnknownNonceError", remedy: "prepareAgain" },
    CHALLENGE_REQUIRED: { status: 412, name: "ChallengeRequiredError", remedy: "challenge" },
    PAYLOAD_TOO_LARGE: { status: 413, name: "PayloadTooLargeError", remedy: "fix" },
    UNSUPPORTED_MEDIA_TYPE: { status: 415, name: "UnsupportedMediaTypeError", remedy: "fix" },
    PAYMENT_METHOD_IN_USE: { status: 423, name: "PaymentMethodInUseError", remedy: "stop" },
    CUSTOMER_BLOCKED: { status: 423, name: "CustomerBlockedError", remedy: "stop" },
    RATE_LIMITED: { status: 429, name: "RateLimitedError", remedy: "wait" },
    VERIFICATION_REQUIRED: { status: 451, name: "VerificationRequiredError", remedy: "verify" },
    INTERNAL: { status: 500, name: "ServiceFailureError", remedy: "tryAgain" },
    UNAVAILABLE: { status: 503, name: "ServiceUnavailableError", remedy: "tryAgain" }
  };

  var english = {
    locale: "en-US",
    UserRejectedError: "You said no in your wallet. Nothing was paid.",
    "UserRejectedError.other": "You said no in your wallet.",
    PartlySignedError: "Your wallet did not finish signing. Nothing was paid.",
    "PartlySignedError.rejected": "You said no to the second request in your wallet. Nothing was paid.",
    "PartlySignedError.network": "You signed, but the network cannot be reached. Nothing was paid. Check your connection, then try again.",
    WalletFailedError: "Your wallet could not do this. Check that it is open and unlocked, then try again.",
    "WalletFailedError.window": "Your browser blocked your wallet's window. Allow it, then try again.",
    WalletRequestPendingError: "Your wallet is still waiting for your answer. Open it to go on.",
    WalletNotConnectedError: "Your wallet is not connected to this page. Connect it, then try again.",
    WrongSignerError: "Your wallet shows another account than the one you started with. Choose that account, then try again.",
    WrongSignatureError: "Your wallet answered with something else than it was asked for. Try again, or use another wallet.",
    WrongNetworkError: "Your wallet is on another network. Switch it, then try again.",
    "WrongNetworkError.named": "Your wallet is on another network. Switch it to {network}, then try again.",
    UnsupportedSignerError: "This wallet cannot be used here. Try another one.",
    "InsufficientFundsError.credits": "You have {have} in credits, and this takes up to {need}. Add some, or pay in another way.",
    "InsufficientFundsError.usdc": "You have {have} in USDC, and this takes {need}. Add some, or pay in another way.",
    InsufficientCreditsError: "You do not have enough credits for this. Add some, or pay in another way.",
    InsufficientUsdcError: "You do not have enough USDC for this. Add some, or pay in another way.",
    MissingTokenAccountError: "USDC cannot be sent between these two accounts yet. Choose another way to pay.",
    NoUsdcAuthorizationError: "USDC cannot be used on this network. Choose another way to pay.",
    MerchantBalanceError: "The balance is too low for this.",
    RedeemWouldFailError: "This purchase would not go through right now, so it was stopped.",
    SimulationFailedError: "This purchase would not go through right now. Try again later, or ask the shop.",
    GasFeeTooHighError: "The network fee is too high right now, so this was stopped. Try again later.",
    PreparedMismatchError: "This payment is not what you chose, or could not be checked, so it was stopped.",
    ExceedsAuthorizedError: "The price changed while you were paying. Look at it, then start again.",
    InvalidPermitError: "Your signature was not accepted. Please start again.",
    ExpiredError: "The time for this has run out. Please start again. If it happens again, check the clock of your device.",
    NotYetValidError: "The clock of your device seems to be wrong. Set it, then try again.",
    AlreadyRedeemedError: "You have paid for this already. Do not pay again.",
    OrderUsedError: "This order was used for another payment. {paid} was paid, and the order costs {expected}. Ask the shop before you pay again.",
    "OrderUsedError.receiver": "This order was used for another payment of {paid}. Ask the shop before you pay again.",
    OtherAttemptError: "Another payment for this order went through. Check your purchases before you pay again.",
    OrderAlreadyPaidError: "The payment service reports that this order is paid. Check your purchases before you pay again.",
    OrderUnderwayError: "The payment service reports another payment for this order in progress. Check your purchases before you pay again.",
    OrderCancelledError: "The payment service reports that this order was cancelled. Check your purchases before you pay again.",
    OutcomeUnknownError: "It is not known yet whether your payment went through. Do not pay again: it may still go through.",
    "OutcomeUnknownError.network": "The network cannot be reached to look for your payment. Do not pay again: it may still go through.",
    "OutcomeUnknownError.paid": "The payment service reports that this order is paid. Do not pay again.",
    "OutcomeUnknownError.underway": "The payment service reports another payment for this order in progress. Do not pay again: it may still go through.",
    "OutcomeUnknownError.link": "You have to be verified first: follow the link, then go on here. Do not pay again: it may still go through.",
    RedeemTimeoutError: "Your payment is taking longer than usual. Do not pay again: it may still go through.",
    RedeemRevertedError: "Your payment did not go through yet. Do not pay again: it may still go through.",
    "RequestAbortedError.lookUp": "You stopped while your payment was on its way. Do not pay again: it may still go through.",
    RequestAbortedError: "You stopped this before it was done.",
    RedeemCancelledError: "You cancelled this payment. Nothing was paid.",
    RedeemExpiredError: "Your payment was not carried out in time, and no longer can be. Nothing was paid.",
    TransactionFailedError: "The network did not take your payment. Check your balance before you pay again.",
    StoredRedeemError: "This page lost track of your payment. Check your purchases before you pay again.",
    PurchaseMismatchError: "You started another payment for this before. Check your purchases before you pay again.",
    PaymentStateError: "Your payment changed in the meantime. Check your purchases before you pay again.",
    PaymentOutcomeUnknownError: "It is not known yet whether your card was charged. Do not pay again before you have checked your purchases.",
    CardDeclinedError: "Your card was declined. Nothing was paid.",
    FraudSuspectedError: "Your card was not accepted for this. Nothing was paid. Try another way to pay.",
    InvalidCardNumberError: "Check the number of your card. Nothing was paid.",
    CardExpiredError: "Your card has expired. Nothing was paid. Use another one.",
    InvalidCvvError: "Check the security code of your card. Nothing was paid.",
    CardRefusedError: "Your card payment was refused. Nothing was paid.",
    CardFormError: "The card form could not be loaded. Try again in a moment.",
    ChallengeRequiredError: "Your bank wants to know that it is you. Finish its check to pay.",
    UnauthenticatedError: "You are signed out. Sign in again to go on.",
    InvalidAuthMessageError: "You could not be signed in safely, so this was stopped.",
    "VerificationRequiredError.link": "You have to be verified before you can go on. Follow the link to do that.",
    VerificationRequiredError: "You have to be verified before you can go on. The shop can tell you how.",
    VerificationStateError: "Your verification does not allow this right now.",
    SubscriptionStateError: "Your subscription does not allow this right now.",
    PaymentMethodInUseError: "Somebody else uses this account already. Use another one.",
    CustomerBlockedError: "You cannot pay here at the moment. The shop can tell you more.",
    GeoBlockedError: "This is not available where you are.",
    ForbiddenError: "You cannot do this here. The shop can tell you more.",
    NotWhitelistedError: "This shop cannot take your payment yet. The shop can tell you more.",
    RateLimitedError: "There were too many tries. Wait a minute, then try again.",
    "RateLimitedError.wait": "There were too many tries. Wait {wait}, then try again.",
    ServiceUnreachableError: "The payment service cannot be reached. Check your connection, then try again.",
    ServiceTimeoutError: "The payment service takes too long to answer. Try again in a moment.",
    ServiceFailureError: "The payment service has a problem right now. Try again in a moment.",
    ChainReadError: "The network cannot be reached right now. Try again in a moment.",
    page: "This page made a mistake and could not go on. If it happens again, please tell the shop.",
    unknown: "Something did not work. Check your purchases before you pay again.",
    "unknown.other": "Something did not work. Please try again.",
    "signing.transfer": "You send {amount} to {target} on {network}.",
    "signing.call": "You pay up to {amount} for a purchase at {target} on {network}.",
    "signing.bridge": "You pay up to {amount} for a purchase on another network, by way of {network}.",
    "signing.credits": "Paid from your credits: {credits}, and at most {fee} more for the network fee.",
    "signing.usdc": "Paid from your USDC: {usdc}, and at most {fee} from your credits for the network fee.",
    "signing.both": "Paid from your credits: {credits}. From your USDC: {usdc}. From your credits for the network fee: at most {fee}.",
    "signing.trust": "What you sign does not say what it pays for: you trust the payment service with that."
  };

  var sameAs = {
    AmbiguousIntentError: "PurchaseMismatchError",
    AuthMessageExpiredError: "ExpiredError",
    AuthMessageMismatchError: "InvalidAuthMessageError",
    BlockhashExpiredError: "RedeemExpiredError",
    ChangedByWalletError: "WrongSignatureError",
    ContractCallFailedError: "TransactionFailedError",
    ExpiredTransactionError: "ExpiredError",
    FactoryNotAllowedError: "UnsupportedSignerError",
    IntentMismatchError: "PurchaseMismatchError",
    InvalidAnswerError: "ServiceFailureError",
    InvalidAuthSignatureError: "WrongSignatureError",
    InvalidClientDataError: "WrongSignatureError",
    InvalidSignatureError: "WrongSignatureError",
    InvalidUsdcAuthorizationError: "InvalidPermitError",
    InvalidWalletAnswerError: "WrongSignatureError",
    MissingAccountError: "MissingTokenAccountError",
    OwnerOffCurveError: "UnsupportedSignerError",
    PermitExpiredError: "ExpiredError",
    PlainTextNotAllowedError: "InvalidAuthMessageError",
    PurchaseStorageError: "StoredRedeemError",
    ServiceUnavailableError: "ServiceFailureError",
    SessionKeyError: "UnauthenticatedError",
    SimulationUnavailableError: "ChainReadError",
    SubmitUnknownError: "OutcomeUnknownError",
    TooFarAheadError: "NotYetValidError",
    TrustlineError: "MissingTokenAccountError",
    RandomNonceError: "PreparedMismatchError",
    UnknownNonceError: "InvalidPermitError",
    UnknownServiceError: "ServiceFailureError",
    V1NotPossibleError: "UnsupportedSignerError",
    WrongWalletError: "WrongSignerError"
  };

  var ptBr = {
    locale: "pt-BR",
    UserRejectedError: "Você recusou na sua carteira. Nada foi pago.",
    "UserRejectedError.other": "Você recusou na sua carteira.",
    PartlySignedError: "Sua carteira não terminou de assinar. Nada foi pago.",
    "PartlySignedError.rejected": "Você recusou o segundo pedido na sua carteira. Nada foi pago.",
    "PartlySignedError.network": "Você assinou, mas não foi possível falar com a rede. Nada foi pago. Confira sua conexão e tente de novo.",
    WalletFailedError: "Sua carteira não conseguiu fazer isso. Veja se ela está aberta e desbloqueada e tente de novo.",
    "WalletFailedError.window": "Seu navegador bloqueou a janela da sua carteira. Permita e tente de novo.",
    WalletRequestPendingError: "Sua carteira ainda espera a sua resposta. Abra a carteira para continuar.",
    WalletNotConnectedError: "Sua carteira não está conectada a esta página. Conecte e tente de novo.",
    WrongSignerError: "Sua carteira mostra uma conta diferente da que você usou no início. Escolha aquela conta e tente de novo.",
    WrongSignatureError: "Sua carteira respondeu com algo diferente do que foi pedido. Tente de novo ou use outra carteira.",
    WrongNetworkError: "Sua carteira está em outra rede. Troque de rede e tente de novo.",
    "WrongNetworkError.named": "Sua carteira está em outra rede. Troque para {network} e tente de novo.",
    UnsupportedSignerError: "Esta carteira não pode ser usada aqui. Tente outra.",
    "InsufficientFundsError.credits": "Você tem {have} em créditos, e esta compra pode usar até {need}. Adicione mais ou pague de outra forma.",
    "InsufficientFundsError.usdc": "Você tem {have} em USDC, e esta compra usa {need}. Adicione mais ou pague de outra forma.",
    InsufficientCreditsError: "Você não tem créditos suficientes. Adicione mais ou pague de outra forma.",
    InsufficientUsdcError: "Você não tem USDC suficiente. Adicione mais ou pague de outra forma.",
    MissingTokenAccountError: "Ainda não dá para enviar USDC entre estas duas contas. Pague de outra forma.",
    NoUsdcAuthorizationError: "USDC não pode ser usado nesta rede. Pague de outra forma.",
    MerchantBalanceError: "O saldo é baixo demais para isto.",
    RedeemWouldFailError: "Esta compra não daria certo agora, por isso foi interrompida.",
    SimulationFailedError: "Esta compra não daria certo agora. Tente mais tarde ou fale com a loja.",
    GasFeeTooHighError: "A taxa da rede está alta demais agora, por isso paramos aqui. Tente mais tarde.",
    PreparedMismatchError: "Este pagamento não é o que você escolheu ou não pôde ser conferido, por isso foi interrompido.",
    ExceedsAuthorizedError: "O preço mudou enquanto você pagava. Confira o preço e comece de novo.",
    InvalidPermitError: "Sua assinatura não foi aceita. Comece de novo.",
    ExpiredError: "O tempo para isto acabou. Comece de novo. Se acontecer outra vez, confira o relógio do seu aparelho.",
    NotYetValidError: "O relógio do seu aparelho parece errado. Acerte e tente de novo.",
    AlreadyRedeemedError: "Você já pagou por isto. Não pague de novo.",
    OrderUsedError: "Este pedido foi usado em outro pagamento. Foi pago {paid}, e o pedido custa {expected}. Fale com a loja antes de pagar de novo.",
    "OrderUsedError.receiver": "Este pedido foi usado em outro pagamento de {paid}. Fale com a loja antes de pagar de novo.",
    OtherAttemptError: "Outro pagamento deste pedido foi feito. Confira suas compras antes de pagar de novo.",
    OrderAlreadyPaidError: "O serviço de pagamento informa que este pedido já foi pago. Confira suas compras antes de pagar de novo.",
    OrderUnderwayError: "O serviço de pagamento informa que outro pagamento deste pedido está em andamento. Confira suas compras antes de pagar de novo.",
    OrderCancelledError: "O serviço de pagamento informa que este pedido foi cancelado. Confira suas compras antes de pagar de novo.",
    OutcomeUnknownError: "Ainda não se sabe se o seu pagamento foi feito. Não pague de novo: ele ainda pode ser feito.",
    "OutcomeUnknownError.network": "Não foi possível falar com a rede para procurar seu pagamento. Não pague de novo: ele ainda pode ser feito.",
    "OutcomeUnknownError.paid": "O serviço de pagamento informa que este pedido já foi pago. Não pague de novo.",
    "OutcomeUnknownError.underway": "O serviço de pagamento informa que outro pagamento deste pedido está em andamento. Não pague de novo: ele ainda pode ser feito.",
    "OutcomeUnknownError.link": "Primeiro confirme quem é: siga o link e depois continue aqui. Não pague de novo: o pagamento ainda pode ser feito.",
    RedeemTimeoutError: "Seu pagamento está demorando mais que o normal. Não pague de novo: ele ainda pode ser feito.",
    RedeemRevertedError: "Seu pagamento ainda não foi feito. Não pague de novo: ele ainda pode ser feito.",
    "RequestAbortedError.lookUp": "Você parou quando seu pagamento já estava a caminho. Não pague de novo: ele ainda pode ser feito.",
    RequestAbortedError: "Você parou antes de terminar.",
    RedeemCancelledError: "Você cancelou este pagamento. Nada foi pago.",
    RedeemExpiredError: "Seu pagamento não foi feito a tempo e não pode mais ser feito. Nada foi pago.",
    TransactionFailedError: "A rede não aceitou seu pagamento. Confira seu saldo antes de pagar de novo.",
    StoredRedeemError: "Esta página perdeu o registro do seu pagamento. Confira suas compras antes de pagar de novo.",
    PurchaseMismatchError: "Você já começou outro pagamento por isto. Confira suas compras antes de pagar de novo.",
    PaymentStateError: "Seu pagamento mudou neste meio-tempo. Confira suas compras antes de pagar de novo.",
    PaymentOutcomeUnknownError: "Ainda não se sabe se houve cobrança no seu cartão. Não pague de novo antes de conferir suas compras.",
    CardDeclinedError: "Seu cartão foi recusado. Nada foi pago.",
    FraudSuspectedError: "Seu cartão não foi aceito para isto. Nada foi pago. Pague de outra forma.",
    InvalidCardNumberError: "Confira o número do seu cartão. Nada foi pago.",
    CardExpiredError: "Seu cartão venceu. Nada foi pago. Use outro cartão.",
    InvalidCvvError: "Confira o código de segurança do seu cartão. Nada foi pago.",
    CardRefusedError: "Seu pagamento com cartão foi recusado. Nada foi pago.",
    CardFormError: "O formulário do cartão não pôde ser carregado. Tente de novo daqui a pouco.",
    ChallengeRequiredError: "Seu banco quer confirmar que é você. Termine a confirmação para pagar.",
    UnauthenticatedError: "Você não está mais conectado. Entre de novo para continuar.",
    InvalidAuthMessageError: "Você não pôde entrar com segurança, por isso paramos aqui.",
    "VerificationRequiredError.link": "Você precisa confirmar quem é antes de continuar. Siga o link para fazer isso.",
    VerificationRequiredError: "Você precisa confirmar quem é antes de continuar. A loja pode explicar como.",
    VerificationStateError: "Sua verificação não permite isto agora.",
    SubscriptionStateError: "Sua assinatura não permite isto agora.",
    PaymentMethodInUseError: "Outra pessoa já usa esta conta. Use outra.",
    CustomerBlockedError: "Você não pode pagar aqui no momento. A loja pode explicar.",
    GeoBlockedError: "Isto não está disponível onde você está.",
    ForbiddenError: "Você não pode fazer isto aqui. A loja pode explicar.",
    NotWhitelistedError: "Esta loja ainda não pode receber seu pagamento. A loja pode explicar.",
    RateLimitedError: "Foram tentativas demais. Espere um minuto e tente de novo.",
    "RateLimitedError.wait": "Foram tentativas demais. Espere {wait} e tente de novo.",
    ServiceUnreachableError: "Não foi possível falar com o serviço de pagamento. Confira sua conexão e tente de novo.",
    ServiceTimeoutError: "O serviço de pagamento demora a responder. Tente de novo daqui a pouco.",
    ServiceFailureError: "O serviço de pagamento está com um problema. Tente de novo daqui a pouco.",
    ChainReadError: "Não foi possível falar com a rede agora. Tente de novo daqui a pouco.",
    page: "Esta página cometeu um erro e não pôde continuar. Se acontecer de novo, avise a loja.",
    unknown: "Algo não funcionou. Confira suas compras antes de pagar de novo.",
    "unknown.other": "Algo não funcionou. Tente de novo.",
    "signing.transfer": "Você envia {amount} para {target} na rede {network}.",
    "signing.call": "Você paga até {amount} por uma compra em {target} na rede {network}.",
    "signing.bridge": "Você paga até {amount} por uma compra em outra rede, passando por {network}.",
    "signing.credits": "Sai dos seus créditos: {credits}, e no máximo {fee} a mais para a taxa da rede.",
    "signing.usdc": "Sai do seu USDC: {usdc}, e no máximo {fee} dos seus créditos para a taxa da rede.",
    "signing.both": "Sai dos seus créditos: {credits}. Do seu USDC: {usdc}. Dos seus créditos para a taxa da rede: no máximo {fee}.",
    "signing.trust": "O que você assina não diz o que está pagando: nisso você confia no serviço de pagamento."
  };

  var en = {
    sentences: english,
    title: "Card payment",
    loading: "Loading the card form…",
    price: "Price",
    subtotal: "Subtotal",
    fee: "Fee",
    total: "Total",
    testMode: "Test mode: no money moves, and only test cards work.",
    email: "Email",
    number: "Card number",
    expiry: "Expiry date",
    cvv: "Security code",
    name: "Name on card",
    save: "Save this card for my next purchase",
    safe: "Your card goes to the payment service only. The shop never sees its number.",
    pay: "Pay {total}",
    authorize: "Authorize {total}",
    paying: "Paying…",
    still: "This takes longer than usual. You will not be charged twice.",
    challengeTitle: "Confirm with your bank",
    challengeText: "Your bank wants to know that it is you. Nothing is paid before you confirm.",
    challengeFrame: "Confirmation by your bank",
    challengeLeave: "Use another card",
    settlingTitle: "Almost done",
    settlingText: "Your bank has agreed. We are completing your purchase.",
    paidTitle: "Paid {total}",
    paidText: "Thank you. Your purchase is complete.",
    heldTitle: "{total} authorized",
    heldText: "Your bank has agreed. Nothing has been charged yet.",
    reference: "Payment {paymentId}",
    unknownTitle: "We do not know yet",
    unknownText: "The payment service does not answer, so we do not know whether your card was charged. Check again: you will not be charged twice.",
    check: "Check again",
    stoppedTitle: "This cannot be paid right now",
    again: "Try again",
    insufficientFunds: "There is not enough money on this card. Nothing was paid. Use another card.",
    notATestCard: "Only test cards work here. Nothing was paid.",
    challengeFailed: "Your bank did not confirm this payment. Nothing was paid.",
    challengeLate: "The time to confirm with your bank has run out. Nothing was paid. Please pay again.",
    notSettled: "Your purchase could not be completed, and your card is not charged.",
    noParent: "This form is shown on the page of a shop.",
    otherEnvironment: "The shop’s page and the payment service are not of the same environment.",
    emailMissing: "Enter your email.",
    emailWrong: "This is not an email address.",
    numberMissing: "Enter your card number.",
    numberWrong: "This is not a card number. Check the digits.",
    expiryMissing: "Enter the expiry date.",
    expiryWrong: "Enter month and year, such as 08 / 30.",
    expiryPast: "This card has expired.",
    cvvMissing: "Enter the security code.",
    cvvWrong: "The code has 3 digits, or 4 on some cards.",
    nameMissing: "Enter the name on the card."
  };
  var pt = {
    sentences: ptBr,
    title: "Pagamento com cartão",
    loading: "Carregando o formulário do cartão…",
    price: "Preço",
    subtotal: "Subtotal",
    fee: "Taxa",
    total: "Total",
    testMode: "Modo de teste: nenhum dinheiro é movido, e só cartões de teste funcionam.",
    email: "E-mail",
    number: "Número do cartão",
    expiry: "Validade",
    cvv: "Código de segurança",
    name: "Nome no cartão",
    save: "Guardar este cartão para a próxima compra",
    safe: "Seu cartão vai só para o serviço de pagamento. A loja nunca vê o número.",
    pay: "Pagar {total}",
    authorize: "Autorizar {total}",
    paying: "Pagando…",
    still: "Está demorando mais que o normal. Você não será cobrado duas vezes.",
    challengeTitle: "Confirme com seu banco",
    challengeText: "Seu banco quer saber se é você. Nada é pago antes da sua confirmação.",
    challengeFrame: "Confirmação do seu banco",
    challengeLeave: "Usar outro cartão",
    settlingTitle: "Quase pronto",
    settlingText: "Seu banco aprovou. Estamos concluindo sua compra.",
    paidTitle: "{total} pago",
    paidText: "Obrigado. Sua compra foi concluída.",
    heldTitle: "{total} autorizado",
    heldText: "Seu banco aprovou. Nada foi cobrado ainda.",
    reference: "Pagamento {paymentId}",
    unknownTitle: "Ainda não sabemos",
    unknownText: "O serviço de pagamento não responde, e não sabemos se seu cartão foi cobrado. Verifique de novo: você não será cobrado duas vezes.",
    check: "Verificar de novo",
    stoppedTitle: "Isto não pode ser pago agora",
    again: "Tentar de novo",
    insufficientFunds: "Não há saldo suficiente neste cartão. Nada foi pago. Use outro cartão.",
    notATestCard: "Só cartões de teste funcionam aqui. Nada foi pago.",
    challengeFailed: "Seu banco não confirmou este pagamento. Nada foi pago.",
    challengeLate: "O tempo para confirmar com seu banco acabou. Nada foi pago. Pague de novo.",
    notSettled: "Sua compra não pôde ser concluída, e seu cartão não é cobrado.",
    noParent: "Este formulário é mostrado na página de uma loja.",
    otherEnvironment: "A página da loja e o serviço de pagamento não são do mesmo ambiente.",
    emailMissing: "Digite seu e-mail.",
    emailWrong: "Isto não é um endereço de e-mail.",
    numberMissing: "Digite o número do cartão.",
    numberWrong: "Isto não é um número de cartão. Confira os dígitos.",
    expiryMissing: "Digite a validade.",
    expiryWrong: "Digite mês e ano, como 08 / 30.",
    expiryPast: "Este cartão venceu.",
    cvvMissing: "Digite o código de segurança.",
    cvvWrong: "O código tem 3 dígitos, ou 4 em alguns cartões.",
    nameMissing: "Digite o nome no cartão."
  };
  function wordsOf(language) {
    return /^pt\\b/i.test(language ?? "") ? pt : en;
  }
  function sentenceOf(words, { code, reason }) {
    if (reason === "insufficientFunds" || reason === "notATestCard" || reason === "challengeFailed")
      return words[reason];
    if (code === "PAYMENT_FAILED") return words.notSettled;
    if (code === "CHALLENGE_EXPIRED") return words.challengeLate;
    const name = Object.entries(wireErrors).find(([known]) => known === code)?.[1].name;
    const { sentences } = words;
    const key = Object.entries(sameAs).find(([known]) => known === name)?.[1] ?? name;
    const said = Object.entries(sentences).find(([known]) => known === key)?.[1];
    return said ?? (code === "UNAVAILABLE" ? sentences.ServiceFailureError : sentences.page);
  }
  function fill(sentence, values) {
    return sentence.replace(/\\{(\\w+)\\}/g, (all, name) => values[name] ?? all);
  }
  function moneyText(cents, { currency, words }) {
    const style = { style: "currency", currency };
    const isWhole = cents % 100 === 0;
    const format = new Intl.NumberFormat(
      words.sentences.locale,
      isWhole ? style : { ...style, minimumFractionDigits: 2 }
    );
    return format.format(cents / 100);
  }

  var fieldNames = ["email", "number", "expiry", "cvv", "name"];
  function part(id) {
    const found = document.getElementById(id);
    if (found === null) throw new Error(\`The page has no #\${id}.\`);
    return found;
  }
  var inputOf = (name) => part(name);
  function readFields() {
    const [email, number, expiry, cvv, name] = fieldNames.map((one) => inputOf(one).value);
    return { email: email ?? "", number: number ?? "", expiry: expiry ?? "", cvv: cvv ?? "", name: name ?? "" };
  }
  function setWords(words, language) {
    document.documentElement.lang = language;
    document.title = words.title;
    for (const element of document.querySelectorAll("[data-word]")) {
      const key = element.dataset.word ?? "";
      const said = Object.entries(words).find(([name]) => name === key)?.[1];
      if (typeof said === "string") element.textContent = said;
    }
    part("challenge-page").title = words.challengeFrame;
  }
  function show(shown) {
    for (const id of ["loading", "form", "challenge", "outcome"]) part(id).hidden = id !== shown;
    if (shown !== "form") showAlert("");
  }
  function showPrice(price, { words, isTest }) {
    const row = (label, cents, kind = "") => {
      const line = document.createElement("div");
      line.className = kind;
      const [term, amount] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = label;
      amount.textContent = moneyText(cents, { currency: price.currency, words });
      line.append(term, amount);
      return line;
    };
    const { lines, subtotalCents, totalCents } = price;
    part("lines").replaceChildren(
      ...lines.length === 0 ? [] : [row(words.subtotal, subtotalCents)],
      ...lines.map(({ label, cents }) => row(label === "Fee" ? words.fee : label, cents)),
      row(words.total, totalCents, "total")
    );
    part("price").hidden = false;
    part("test").hidden = !isTest;
  }
  function showProblems(problems, words) {
    for (const name of fieldNames) {
      const problem = problems[name];
      part(\`\${name}-wrong\`).textContent = problem === void 0 ? "" : words[problem];
      inputOf(name).setAttribute("aria-invalid", String(problem !== void 0));
    }
  }
  function showAlert(text) {
    part("alert").textContent = text;
  }
  function say(text) {
    part("status").textContent = text;
  }
  function setBusy(isBusy, text) {
    const button = part("pay");
    button.setAttribute("aria-disabled", String(isBusy));
    part("pay-text").textContent = text;
    part("form").classList.toggle("busy", isBusy);
    for (const input of part("form").querySelectorAll("input")) input.readOnly = isBusy;
  }
  function showOutcome({ kind, title, text, reference = "", again }) {
    show("outcome");
    part("outcome").className = kind;
    part("outcome-title").textContent = title;
    part("outcome-text").textContent = text;
    part("reference").textContent = reference;
    const button = part("again");
    button.hidden = again === void 0;
    button.textContent = again?.label ?? "";
    button.onclick = again?.run ?? null;
    say(\`\${title}. \${text}\`);
  }
  var totalText = (price, words) => price === void 0 ? "" : moneyText(price.totalCents, { currency: price.currency, words });
  var withTotal = (sentence, price, words) => fill(sentence, { total: totalText(price, words) }).trim();

  function createPurchase(parts) {
    const { settings, start, channel } = parts;
    const order = readOrder(start);
    const attempts = attemptsOf(JSON.stringify([settings.merchantId, start.purchaseId, order.name]));
    const attempt = attempts.read();
    return {
      ...parts,
      post: callsOf(settings, { start, channel }),
      merchant: encodeURIComponent(settings.merchantId),
      order,
      attempt,
      attempts,
      price: void 0,
      isBusy: false,
      isChecking: false,
      hasLoadedAgain: false,
      isLeaving: false,
      isLost: attempt.body !== void 0,
      sentAt: attempt.sentAt ?? Date.now(),
      draw: () => show("loading")
    };
  }
  async function openPurchase(run) {
    const { start, settings, post, merchant, words } = run;
    present(run, () => show("loading"));
    tell(run, "shown");
    if (start.environment !== void 0 && start.environment !== settings.environment) {
      const sentence = words().otherEnvironment;
      return stop(run, { code: "FORBIDDEN", message: \`The service is \${settings.environment}.\` }, sentence);
    }
    const [totals, earlier] = await Promise.all([
      post(\`/api/checkout/totals/\${merchant}\`, priceFields(run.order)),
      look(run, run.order.fields)
    ]);
    if (!run.isCurrent()) return;
    if (totals === void 0 || earlier === void 0 || isUndecided(totals) || isUndecided(earlier))
      return stop(run, noAnswer);
    run.price = totals.status === 200 ? readPrice(totals.body.card) : void 0;
    const found = totals.status === 200 ? earlier : totals;
    if (found.status !== 200 || run.price === void 0) return stop(run, refusalOf(found));
    const { payment } = earlier.body;
    const isPaid = isRecord(payment) && isMade(payment);
    showPrice(run.price, { words: words(), isTest: settings.environment === "sandbox" });
    if (!isPaid && run.attempt.challenge !== void 0) showChallenge(run, run.attempt.challenge);
    else if (!isPaid) showForm(run);
    tell(run, "ready");
    if (isPaid) await settle(run, payment);
  }
  async function pay(run) {
    const { order, post, merchant, words } = run;
    if (run.isBusy) return;
    const fields = readFields();
    const problems = findProblems(fields, { now: Date.now(), asksEmail: order.email === void 0 });
    showAlert("");
    showProblems(problems, words());
    const first = fieldNames.find((name) => problems[name] !== void 0);
    if (first !== void 0) return inputOf(first).focus();
    showWorking(run);
    const giveUp = (refusal) => run.isLost ? showUnknown(run) : refuse(run, refusal);
    const { purchaseId } = run.start;
    const made = await post(\`/card/\${merchant}/token\`, { ...cardOf(fields), purchaseId });
    if (made === void 0 || isUndecided(made)) return giveUp(noAnswer);
    const cardToken = textOf(made.body.token, 256);
    if (made.status !== 200 || cardToken === void 0) return giveUp(refusalOf(made));
    run.isLost = false;
    const [firstName = "", ...others] = fields.name.trim().split(/\\s+/);
    const holder = { firstName, ...others.length > 0 && { lastName: others.join(" ") } };
    const card = { cardToken, email: order.email ?? fields.email.trim(), ...holder };
    const isSaved = run.start.offersSaving && part("save").checked;
    const body = { card, ...isSaved && { saveCard: true } };
    keep(run, { body, sentAt: Date.now() });
    await send(run);
  }
  function leaveChallenge(run) {
    run.isLeaving = run.isChecking;
    if (run.isLeaving) {
      present(run, () => show("loading"));
      return;
    }
    endAttempt(run);
    showForm(run);
    inputOf("number").focus();
  }
  async function challengeLoaded(run) {
    const isOpen = () => run.attempt.challenge !== void 0 && !part("challenge").hidden;
    if (!isOpen()) return;
    run.hasLoadedAgain = true;
    if (run.isChecking) return;
    run.isChecking = true;
    while (run.hasLoadedAgain && isOpen()) {
      run.hasLoadedAgain = false;
      await send(run);
    }
    run.isChecking = false;
    if (run.isLeaving) leaveChallenge(run);
  }
  function redraw(run) {
    const { price, settings, words, draw } = run;
    if (price !== void 0) showPrice(price, { words: words(), isTest: settings.environment === "sandbox" });
    draw();
  }
  async function send(run) {
    if (run.attempt.challenge === void 0) showWorking(run);
    run.sentAt = Date.now();
    const answer = await sendSurely(run);
    if (answer === void 0) {
      run.isLeaving = false;
      return showUnknown(run);
    }
    const isAsked = answer.status === 412 && codeOf(answer) === "CHALLENGE_REQUIRED";
    const asked = isAsked ? challengeOf(answer) : void 0;
    if (asked !== void 0) return run.isLeaving ? void 0 : showChallenge(run, asked);
    run.isLeaving = false;
    if (codeOf(answer) === "AMBIGUOUS_INTENT") {
      endAttempt(run);
      return stop(run, refusalOf(answer));
    }
    if (answer.status !== 200) return refuse(run, refusalOf(answer));
    await settle(run, answer.body);
  }
  async function sendSurely(run) {
    const { post, merchant, words, order } = run;
    const { body = {}, challenge } = run.attempt;
    const proof = challenge && { authentication3DS: { transactionId: challenge.transactionId } };
    for (const [at, waitMs] of waitsMs.entries()) {
      await wait(waitMs);
      if (at === 1) say(words().still);
      const answer = await post(\`/api/checkout/card/\${merchant}\`, { ...order.fields, ...body, ...proof });
      const isDecided = answer !== void 0 && !isUndecided(answer);
      if (isDecided && (!run.isLost || isOfPayment(answer))) return answer;
      run.isLost = true;
    }
    return void 0;
  }
  async function settle(run, payment) {
    const { order, words } = run;
    const paymentId = textOf(payment.paymentId, 256);
    if (paymentId === void 0) return showUnknown(run);
    closeChallenge(run);
    run.isBusy = true;
    let seen = payment;
    let isHeard = true;
    for (let turn = 0; !isEnd(seen.status) && !(order.authOnly && seen.status === "authorized"); turn++) {
      if (turn === 0)
        present(
          run,
          () => showOutcome({ kind: "waiting", title: words().settlingTitle, text: words().settlingText })
        );
      await wait(isHeard && turn < 60 ? 500 : 3e3);
      const answer = await look(run);
      const found = answer?.status === 200 ? answer.body.payment : void 0;
      isHeard = isRecord(found);
      if (isRecord(found)) seen = found;
    }
    if (isMade(seen))
      return showDone(run, { payment: seen, paymentId: textOf(seen.paymentId, 256) ?? paymentId });
    refuse(run, { code: "PAYMENT_FAILED", paymentId, message: "The payment did not settle." });
  }
  function look({ post, merchant, start }, order) {
    const { purchaseId } = start;
    return post(\`/card/\${merchant}/purchase\`, { purchaseId, ...order && { order } });
  }
  function refuse(run, refusal) {
    const wasLate = run.attempt.challenge !== void 0 && refusal.code === "PAYMENT_STATE";
    const told = wasLate ? { ...refusal, code: "CHALLENGE_EXPIRED" } : refusal;
    endAttempt(run);
    showForm(run, sentenceOf(run.words(), told));
    const field = fieldsOfCodes[told.code];
    inputOf(field ?? "number").focus();
    if (field !== void 0) inputOf(field).setAttribute("aria-invalid", "true");
    tellRefusal(run, refusal);
  }
  function stop(run, refusal, sentence) {
    run.isBusy = false;
    const { words } = run;
    present(
      run,
      () => showOutcome({
        kind: "bad",
        title: words().stoppedTitle,
        text: sentence ?? sentenceOf(words(), refusal),
        again: { label: words().again, run: () => run.act(openPurchase) }
      })
    );
    tellRefusal(run, refusal, "notBegun");
  }
  function tellRefusal(run, { code, message, paymentId, reason }, outcome = "nothingPaid") {
    tell(run, "error", {
      code,
      message: message.slice(0, 500),
      outcome,
      ...paymentId !== void 0 && { paymentId },
      ...reason !== void 0 && { reason }
    });
  }
  function showForm(run, alert = "") {
    const { order, start, words } = run;
    run.isBusy = false;
    present(run, () => {
      show("form");
      part("email-field").hidden = order.email !== void 0;
      part("save-field").hidden = !start.offersSaving;
      setBusy(false, withTotal(order.authOnly ? words().authorize : words().pay, run.price, words()));
      showAlert(alert);
    });
  }
  function showWorking(run) {
    run.isBusy = true;
    present(run, () => {
      show("form");
      setBusy(true, run.words().paying);
      say(run.words().paying);
    });
  }
  function showChallenge(run, asked) {
    if (run.attempt.challenge?.transactionId === asked.transactionId && !part("challenge").hidden) return;
    keep(run, { ...run.attempt, challenge: asked });
    run.isBusy = true;
    tell(run, "challenge", { open: true });
    part("challenge-page").src = asked.url;
    present(run, () => show("challenge"));
    part("challenge-title").focus();
    say(run.words().challengeText);
  }
  function closeChallenge(run) {
    if (run.attempt.challenge === void 0) return;
    part("challenge-page").src = "about:blank";
    tell(run, "challenge", { open: false });
  }
  function endAttempt(run) {
    closeChallenge(run);
    keep(run, {});
    run.isLost = false;
  }
  function showDone(run, made) {
    const { words, attempts } = run;
    const { payment, paymentId } = made;
    const isHeld = payment.status === "authorized";
    attempts.write(void 0);
    run.isBusy = false;
    for (const name of fieldNames) inputOf(name).value = "";
    present(run, () => {
      const { heldTitle, heldText, paidTitle, paidText, reference } = words();
      showOutcome({
        kind: "done",
        title: withTotal(isHeld ? heldTitle : paidTitle, run.price, words()),
        text: isHeld ? heldText : paidText,
        reference: fill(reference, { paymentId })
      });
    });
    part("outcome-title").focus();
    const hash = textOf(payment.hash, 256);
    tell(run, isHeld ? "authorized" : "success", { paymentId, ...hash !== void 0 && { hash } });
  }
  function showUnknown(run) {
    const { words, sentAt } = run;
    const checkAgain = () => {
      present(run, () => showOutcome({ kind: "waiting", title: words().unknownTitle, text: words().still }));
      run.act(send);
    };
    present(
      run,
      () => showOutcome({
        kind: "bad",
        title: words().unknownTitle,
        text: words().unknownText,
        again: { label: words().check, run: checkAgain }
      })
    );
    part("outcome-title").focus();
    const { message } = noAnswer;
    tell(run, "error", { code: "OUTCOME_UNKNOWN", message, outcome: "unknown", sentAt });
  }
  function tell({ channel, start }, type, facts = {}) {
    channel.tell(type, { ...facts, purchaseId: start.purchaseId });
  }
  function present(run, draw) {
    run.draw = draw;
    draw();
  }
  function keep(run, attempt) {
    run.attempt = attempt;
    run.attempts.write(attempt);
  }
  var wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  var waitsMs = [0, 700, 2e3, 4e3];
  var isMade = ({ status }) => ["authorized", "settled", "disputed", "won", "lost"].includes(String(status));
  var isEnd = (status) => ["settled", "disputed", "won", "lost", "failed", "expired", "voided"].includes(String(status));

  function readSettings() {
    return JSON.parse(document.documentElement.dataset.settings ?? "{}");
  }

  function begin() {
    const settings = readSettings();
    let language = "en";
    const words = () => wordsOf(language);
    let purchase;
    let next;
    const look2 = (wanted) => {
      setLook(wanted);
      language = wanted.language ?? "en";
      setWords(words(), language);
      if (purchase !== void 0) redraw(purchase);
    };
    const start = (wanted) => {
      look2(wanted.look);
      next = purchase?.isBusy ? wanted : void 0;
      if (next !== void 0) return;
      const own = createPurchase({
        settings,
        start: wanted,
        channel,
        words,
        isCurrent: () => purchase === own,
        act: (what) => void act(what)
      });
      purchase = own;
      void act(openPurchase);
    };
    const channel = openChannel(settings.parent, { start, look: look2 });
    setWords(words(), language);
    const act = async (what) => {
      if (purchase === void 0) return;
      await what(purchase);
      if (next !== void 0 && !purchase.isBusy) start(next);
    };
    watchFields(() => void act(pay));
    part("leave").addEventListener("click", () => void act(leaveChallenge));
    part("challenge-page").addEventListener("load", () => void act(challengeLoaded));
    if (window.parent === window) {
      showOutcome({ kind: "bad", title: words().stoppedTitle, text: words().noParent });
      return;
    }
    new ResizeObserver(
      () => channel.tell("height", { height: Math.ceil(part("card").getBoundingClientRect().height) })
    ).observe(part("card"));
    channel.tell("hello");
  }
  function watchFields(pay2) {
    const formats = { number: formatNumber, expiry: formatExpiry, cvv: formatCvv };
    for (const [name, format] of Object.entries(formats)) {
      const input = part(name);
      input.addEventListener("input", (event) => {
        const isDeleting = event instanceof InputEvent && event.inputType.startsWith("delete");
        const typed = input.value;
        const before = typed.slice(0, input.selectionStart ?? typed.length).replace(/\\D/g, "").length;
        const text = format(isDeleting ? typed.replace(/[\\s/]+$/, "") : typed);
        if (text === typed) return;
        const atEnd = (input.selectionStart ?? typed.length) >= typed.length;
        input.value = text;
        const at = atEnd ? text.length : placeAfter(text, before);
        input.setSelectionRange(at, at);
      });
    }
    for (const name of fieldNames)
      inputOf(name).addEventListener("input", () => {
        inputOf(name).setAttribute("aria-invalid", "false");
        part(\`\${name}-wrong\`).textContent = "";
      });
    part("form").addEventListener("submit", (event) => {
      event.preventDefault();
      pay2();
    });
  }
  function placeAfter(text, digits) {
    let seen = 0;
    for (let at = 0; at < text.length; at++) {
      if (seen === digits) return at;
      if (/\\d/.test(text[at] ?? "")) seen++;
    }
    return text.length;
  }
  begin();
})();
`
