// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICustomerExit} from "./ICustomerExit.sol";
import {IEmergencyPause} from "./IEmergencyPause.sol";
import {IUsdc} from "./IUsdc.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Credits that a wallet spends without holding gas
/// @notice Holds credits per (credit seed, wallet), each raw unit backed by one raw unit of the settlement token (USDC,
/// 6 decimals: 1 USD is 1_000_000), and spends them on a permit that the wallet signed.
/// @dev Every amount is in raw units. Every time is in unix seconds and exclusive. PROTOCOL.md 3 to 6.
interface ICredits is IEmergencyPause, ICustomerExit {
    /// @notice What a redeem executes.
    /// @dev The numbers are part of the settlement hash (PROTOCOL.md 4.2).
    enum Kind {
        Token,
        Normal,
        SafeMint,
        Returned,
        KnownTokenId,
        Decent
    }

    /// @notice State of an order of a wallet on this contract.
    enum OrderState {
        Unused,
        Redeemed,
        Cancelled
    }

    /// @notice How the customer's token authorization reaches the token.
    /// @dev V1 splits a packed 65-byte signature into v, r, s. V2 hands the bytes on as they are.
    enum UsdcMethod {
        None,
        TransferV1,
        TransferV2,
        ReceiveV1,
        ReceiveV2
    }

    /// @notice The EIP-712 credit permit: `CreditsAuthorization`.
    /// @param customerWallet who pays
    /// @param creditSeed name of the merchant's credit balance
    /// @param amount the most that may be charged to credits, gas fee included
    /// @param validBefore the permit is dead from this second on
    /// @param nonce order key (first 12 bytes, single use per wallet) and commitment (last 20 bytes). Bit 255 set: bound to an
    /// intent. Bit 255 clear: 32 random bytes
    /// @param signature of a key (65 bytes) or of a contract (ERC-1271), never split or trimmed
    struct Permit {
        address customerWallet;
        string creditSeed;
        uint256 amount;
        uint256 validBefore;
        bytes32 nonce;
        bytes signature;
    }

    /// @notice What the nonce of a bound permit commits to, besides the settlement.
    /// @param amount what the settlement spends
    /// @param usdcAmount part of `amount` that the customer pays in USDC
    /// @param salt 32 random bytes of the customer's client; zero for an unbound permit
    struct Intent {
        uint256 amount;
        uint256 usdcAmount;
        bytes32 salt;
    }

    /// @notice Where a decent settlement goes. All zero in the other kinds.
    struct Bridge {
        uint256 dstChainId;
        address dstToken;
        bool isNative;
        uint256 cost;
    }

    /// @notice What is executed. Everything that the kind does not use is zero.
    struct Settlement {
        Kind kind;
        address target;
        bytes data;
        address nftContract;
        uint256 nftId;
        Bridge bridge;
    }

    /// @notice The customer's EIP-3009 authorization. Everything else in it comes from the permit: `from` is the customer,
    /// `to` this contract, `value` the intent's `usdcAmount`, `validAfter` zero, `validBefore` and `nonce` the permit's.
    /// @param method `None` exactly when `usdcAmount` is zero
    /// @param signature empty with method `None`
    struct UsdcAuthorization {
        UsdcMethod method;
        bytes signature;
    }

    /// @notice A `TransferWithAuthorization` to this contract that somebody else sent to the token.
    /// @dev All of it is what `from` signed; `to` is this contract.
    struct EarlyAuthorization {
        address from;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
        bytes signature;
    }

    /// @notice One redeem, complete.
    /// @param gasFee what the relayer charges for gas; zero unless an operator sends it
    struct RedeemRequest {
        Permit permit;
        Intent intent;
        Settlement settlement;
        UsdcAuthorization usdcAuthorization;
        uint256 gasFee;
    }

    /// @notice What happened to one item of a batch.
    /// @param reason at most 256 bytes of the revert data, empty when it went through
    struct BatchResult {
        bool success;
        bytes reason;
    }

    /// @notice A redeem was executed. The order of its nonce is used up for this wallet.
    /// @dev Every number is packed into half a word, big-endian. `charged`, which credits paid, is not in it:
    /// `amount - usdcAmount + gasFee`. An order key is a claim that this contract cannot check: before you call an order paid, compare
    /// credit seed, kind, target and `amount - refunded` with the order (PROTOCOL.md 4.4).
    /// @param customerWallet the wallet that paid
    /// @param orderKey first 12 bytes of the nonce, left-aligned in the topic
    /// @param creditSeedHash keccak-256 of the credit seed that was charged
    /// @param nonce the permit's nonce
    /// @param kindAndTarget `kind << 160 | target`: the settlement's kind and its target, which is the destination of kind `Token`
    /// @param amounts `amount << 128 | usdcAmount`: the settlement's amount, and the part of it paid in USDC
    /// @param refundedAndGasFee `refunded << 128 | gasFee`: returned to credits because the call pulled less than `amount`, and the
    /// relayer's gas fee
    event Redeemed(
        address indexed customerWallet,
        bytes12 indexed orderKey,
        bytes32 indexed creditSeedHash,
        bytes32 nonce,
        uint256 kindAndTarget,
        uint256 amounts,
        uint256 refundedAndGasFee
    );

    /// @notice A wallet cancelled an order: no attempt of it can be redeemed on this contract any more.
    /// @param customerWallet the wallet that signed the cancellation
    /// @param orderKey first 12 bytes of the nonce, left-aligned in the topic
    /// @param nonce the nonce in the cancellation
    event CreditsAuthorizationCancelled(address indexed customerWallet, bytes12 indexed orderKey, bytes32 nonce);
    event Minted(bytes32 indexed creditSeedHash, address indexed wallet, string creditSeed, uint256 amount);
    event Burned(bytes32 indexed creditSeedHash, address indexed wallet, string creditSeed, uint256 amount);
    event WhitelistSet(
        bytes32 indexed creditSeedHash,
        uint256 indexed chainId,
        address indexed target,
        string creditSeed,
        bytes4 selector,
        bool anySelector,
        bool allowed,
        uint256 minimumGas
    );
    event UnboundPermitsSet(bytes32 indexed creditSeedHash, string creditSeed, bool allowed);
    event EarlyAuthorizationCredited(address indexed from, bytes32 indexed nonce, string creditSeed, uint256 value);
    event FeesWithdrawn(address indexed recipient, uint256 amount);
    event FeeRecipientSet(address indexed recipient);
    event BridgeAdapterSet(address indexed adapter);

    /// @notice A contract belongs to this deployment, or no more.
    /// @param account the contract
    /// @param own whether it does
    event OwnContractSet(address indexed account, bool own);
    event BatchItemFailed(uint256 indexed index, bytes reason);
    event TokenRescued(address indexed nftContract, uint256 indexed nftId, address indexed to);

    error PermitExpired(uint256 validBefore, uint256 timestamp);
    error InvalidPermitSignature(address customerWallet, bytes32 digest);
    error InvalidCancelSignature(address customerWallet, bytes32 digest);
    /// @notice The order was redeemed or cancelled before, by this nonce or by another one with the same order key.
    /// @param commitment last 20 bytes of the nonce that used the order
    error OrderUsed(address wallet, bytes12 orderKey, OrderState state, bytes20 commitment);
    /// @notice The bound nonce commits to another intent.
    /// @param nonce the permit's nonce
    /// @param expected the nonce of the intent that was sent, with the same order key
    error IntentMismatch(bytes32 nonce, bytes32 expected);
    /// @notice A bound nonce takes `ReceiveWithAuthorization` only: anyone can execute a `TransferWithAuthorization`.
    /// @param nonce the permit's nonce
    error ReceiveAuthorizationRequired(bytes32 nonce);
    /// @notice An early authorization is credited for random nonces only.
    /// @param nonce the authorization's nonce
    error RandomNonceRequired(bytes32 nonce);
    error UnboundPermitNotAllowed(string creditSeed, address relayer);
    error SaltNotAllowed(bytes32 salt);
    error ZeroAmount();
    error ZeroAddress(string field);
    error UsdcAmountExceedsAmount(uint256 usdcAmount, uint256 amount);
    /// @notice The amount does not fit its half of a word in `Redeemed`.
    /// @param amount raw units
    /// @param maximum 2^128 - 1
    error AmountTooLarge(uint256 amount, uint256 maximum);
    error ExceedsAuthorized(uint256 charged, uint256 authorized);
    error InsufficientCredits(string creditSeed, address wallet, uint256 balance, uint256 needed);
    error GasFeeNotAllowed(address relayer, uint256 gasFee);
    error MissingUsdcAuthorization();
    error UnexpectedUsdcAuthorization();
    error InvalidV1SignatureLength(uint256 length);
    error UnexpectedField(Kind kind, string field);
    error ForbiddenTarget(address target);
    error ForbiddenSelector(bytes4 selector);
    error TargetWithoutCode(address target);
    error NotWhitelisted(string creditSeed, uint256 chainId, address target, bytes4 selector);
    error NftContractNotWhitelisted(string creditSeed, address nftContract);
    error UnsupportedChain(uint256 chainId);
    error MinimumGasOutOfBounds(uint256 minimumGas, uint256 maximum);
    error InsufficientGas(uint256 available, uint256 minimum);
    error CallFailed(address target, bytes reason);
    error NoTokensArrived(address nftContract);
    error TooManyTokens(uint256 maximum);
    error UnexpectedToken(address sender);
    error TokenNotReceived(address nftContract, uint256 nftId);
    error TokenAlreadyOwned(address nftContract, uint256 nftId);
    error TokenIdNotReturned(uint256 length);
    error TooManyCredits(uint256 owed, uint256 maximum);
    error Insolvent(uint256 balance, uint256 owed);
    error InsufficientSurplus(uint256 surplus, uint256 needed);
    error AuthorizationNotLanded(address from, bytes32 nonce);
    error AuthorizationAlreadyCredited(address from, bytes32 nonce);
    error InvalidEarlyAuthorization(address from, bytes32 digest);
    error TransferredAmountMismatch(uint256 received, uint256 expected);
    error BatchLengthMismatch(uint256 items, uint256 gasLimits);
    error OnlySelf(address caller);
    error BridgeAdapterNotSet();

    /// @notice Executes one redeem. Anyone may call it; only an operator may charge a gas fee or use an unbound permit.
    function redeem(RedeemRequest calldata request) external;

    /// @notice Executes one redeem of kind `Token` that credits alone pay for. Has the same nonce and event as `redeem` with that
    /// settlement, and costs less gas.
    /// @dev Bound nonces only. Anyone may call it; only an operator may charge a gas fee.
    /// @param permit the signed permit
    /// @param amount raw units of USDC that `destination` receives
    /// @param salt the intent's salt
    /// @param destination receives the USDC; not zero, USDC or this contract
    /// @param gasFee what the relayer charges for gas, in raw units; zero unless an operator sends it
    function redeemToken(Permit calldata permit, uint256 amount, bytes32 salt, address destination, uint256 gasFee)
        external;

    /// @notice Executes several redeems, each with its own gas limit; a failed or malformed one leaves the others alone.
    /// @param requests each `abi.encode(RedeemRequest)`
    /// @param gasLimits gas for each item, same order and length
    /// @return results one per item
    function redeemBatch(bytes[] calldata requests, uint256[] calldata gasLimits)
        external
        returns (BatchResult[] memory results);

    /// @notice Cancels the order of a nonce with the wallet's signature of `CancelCreditsAuthorization`: every attempt of it, by
    /// any nonce with the same first 12 bytes, reverts on this contract from now on. Anyone may call it. Works while paused.
    /// @param customerWallet the wallet that signed
    /// @param nonce any nonce of the order
    /// @param signature of a key (65 bytes) or of a contract (ERC-1271)
    function cancelCreditsAuthorization(address customerWallet, bytes32 nonce, bytes calldata signature) external;

    /// @notice Takes `amount` of USDC from the minter and credits it to the wallet.
    function mint(string calldata creditSeed, address wallet, uint256 amount) external;

    /// @notice Takes `amount` of credits from the wallet and pays the USDC behind it to that wallet. Only a minter.
    function burn(string calldata creditSeed, address wallet, uint256 amount) external;

    /// @notice Credits a transfer authorization that a third party sent to the token before its redeem: to `from`, the
    /// `value` that `from` signed, once per (from, full nonce), and only out of surplus. Random nonces only. Only an operator.
    /// @dev Proven here: `from` signed a transfer of `value` to this contract under this nonce; the token takes the nonce no
    /// more; no redeem collected it and it was not credited before; `value` lies here and backs nothing else. Not provable
    /// here: that the nonce went by this transfer, and not by a cancellation or by another authorization of `from` with the
    /// same nonce. The token keeps one flag for all three and tells them apart in its events only. So the operator has to have
    /// seen the token's `AuthorizationUsed(from, nonce)` and, as its very next log, `Transfer(from, this contract, value)`: both
    /// somewhere in one transaction may belong to two authorizations. What a wrong call can take is surplus, never what
    /// backs credits and fees.
    function creditEarlyAuthorization(string calldata creditSeed, EarlyAuthorization calldata authorization) external;

    /// @notice Sets one whitelist entry of a credit seed. An entry that no redeem could use is refused (PROTOCOL.md 6.3).
    /// @param chainId where `target` stands: this chain, or a decent destination
    /// @param selector the allowed function; ignored when `anySelector`. An entry of its own decides the function's `minimumGas`,
    /// also beside one for any; taking it away leaves the function to the entry for any
    /// @param anySelector covers every function but those whose data holds further calls (`multicall` and its kin)
    /// @param minimumGas gas that whoever relays must leave for the call: 1 to 15,500,000 for an allowed entry. A merchant
    /// that catches a failed delivery would otherwise be paid for nothing by a relayer who supplies too little
    function setWhitelist(
        string calldata creditSeed,
        uint256 chainId,
        address target,
        bytes4 selector,
        bool anySelector,
        bool allowed,
        uint256 minimumGas
    ) external;

    /// @notice Whether operators may use unbound permits for a credit seed.
    function setUnboundPermits(string calldata creditSeed, bool allowed) external;

    function setFeeRecipient(address recipient) external;
    function setBridgeAdapter(address adapter) external;

    /// @notice Pays all accrued fees to the fee recipient. Anyone may call it.
    function withdrawFees() external returns (uint256 amount);

    /// @notice Hands on an ERC-721 token that was left here outside of a redeem. Only the admin. They stop no
    /// `Returned` redeem, but make those of contracts that mint without a hook cost twice the gas.
    function rescueToken(address nftContract, uint256 nftId, address to) external;

    /// @notice Sends ERC-20 tokens that came by mistake on. Only the admin; never USDC, whose surplus may be a customer's.
    /// @param token its contract
    /// @param amount raw units
    /// @param to their receiver
    function rescueErc20(IERC20 token, uint256 amount, address to) external;

    /// @notice Names a contract of this deployment, such as the one that settles payments: USDC that a redeem sent there would
    /// have no owner, so a redeem neither pays nor calls it. `setBridgeAdapter` names the adapter and its executor. Only the
    /// admin, who can stop redeems to an account with it as with a pause.
    /// @param account the contract; the current bridge adapter cannot be taken off
    /// @param own whether it belongs to this deployment
    function setOwnContract(address account, bool own) external;

    /// @notice Whether a contract belongs to this deployment. This contract itself, and USDC, are refused without it.
    function isOwnContract(address account) external view returns (bool);

    /// @notice Credits of a wallet, in raw units. Zero for a seed or a wallet that has none.
    function creditsOf(string calldata creditSeed, address wallet) external view returns (uint256);

    /// @notice The same as `creditsOf`, under the name by which pages ask the credits contracts of other services.
    /// @dev Origin: github.com/melahi5-cf/CreditFlow, src/lib/creditsContract.ts.
    function getCreditsBalance(address wallet, string calldata creditSeed) external view returns (uint256);

    /// @notice State of an order of a wallet on this contract. Other chains and contracts have their own.
    /// @param wallet the wallet that pays
    /// @param orderKey first 12 bytes of the nonce
    /// @return state whether the order was redeemed or cancelled
    /// @return commitment last 20 bytes of the nonce that used it; zero while unused
    /// @return timestamp when it was used, in unix seconds; zero while unused
    function orderState(address wallet, bytes12 orderKey)
        external
        view
        returns (OrderState state, bytes20 commitment, uint40 timestamp);
    function totalCredits() external view returns (uint256);
    function feesOwed() external view returns (uint256);

    /// @notice USDC that backs nothing: `balance - totalCredits - feesOwed`. Reverts in the middle of a call, when the balance
    /// holds what a merchant may still pull.
    function surplus() external view returns (uint256);

    /// @notice Whether the USDC here covers all credits and fees: at most one of the two is above zero.
    /// @dev Reverts in the middle of a call, as `surplus` does. A shortage can only come from the token itself; while there is
    /// one, nothing but redeems of kind `Token` pays out.
    /// @return excess USDC above `totalCredits + feesOwed`
    /// @return shortage USDC missing from `totalCredits + feesOwed`
    function solvency() external view returns (uint256 excess, uint256 shortage);
    function feeRecipient() external view returns (address);
    function bridgeAdapter() external view returns (address);
    function usdc() external view returns (IUsdc);
    function unboundPermitsAllowed(string calldata creditSeed) external view returns (bool);

    /// @notice Whether a call is on the whitelist, and the gas that it needs.
    function whitelisted(string calldata creditSeed, uint256 chainId, address target, bytes4 selector)
        external
        view
        returns (bool allowed, uint256 minimumGas);

    function hashCreditsAuthorization(Permit calldata permit) external view returns (bytes32 digest);
    function hashCancelCreditsAuthorization(address customerWallet, bytes32 nonce)
        external
        view
        returns (bytes32 digest);

    /// @notice Hash of a settlement, as a bound nonce commits to it (PROTOCOL.md 4.2).
    /// @dev A decent settlement is hashed with the current `bridgeAdapter`.
    function hashSettlement(Settlement calldata settlement) external view returns (bytes32);

    /// @notice The bound nonce of an intent: the order key, with the highest bit set, and the commitment.
    /// @param orderKey 12 bytes; the highest bit is set in the result in any case
    /// @param customerWallet the wallet that pays
    /// @param settlementHash `hashSettlement` of what is executed
    /// @param intent amounts and salt
    function intentNonce(bytes12 orderKey, address customerWallet, bytes32 settlementHash, Intent calldata intent)
        external
        pure
        returns (bytes32);

    /// @dev `name` "Credits", `version` "1".
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}
