// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IEmergencyPause} from "./IEmergencyPause.sol";
import {ITokenRescue} from "./ITokenRescue.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// @title Carries a decent settlement to another chain
/// @notice The same contract serves every chain: as the source of some settlements and the destination of others.
/// @dev There is no third-party bridge. The service reads `BridgeRequested` on the source chain and calls `execute` on
/// the destination chain, where the operator keeps liquidity. A request is final once the source chain's transaction is
/// final. Amounts are raw units of their token; `address(0)` as a token means the chain's native coin. Times are unix
/// seconds. See PROTOCOL.md 6.7.
///
/// The destination verifies that the admin allowed the source, that the ID is the hash of all executed fields, and that
/// each ID is executed once. It trusts the relayer that the source chain emitted the request. Until a pause, the daily
/// limit bounds the loss from a stolen relayer key; claims made before the pause stay valid. A pause stops `bridge`,
/// `execute`, `claim` and `claimFor`; claims open again after 3 days (`exitOpensAt`).
interface IBridgeAdapter is IEmergencyPause, ITokenRescue {
    /// @notice The request of the source chain.
    /// @param customer may claim the funds if the call fails on the destination chain. A smart wallet needs the same address there
    /// @param nonce the permit's nonce, for lookups
    /// @param amount the maximum that the credits contract pays in USDC on this chain, in raw units
    /// @param dstChainId destination chain
    /// @param dstToken token that the call spends there; zero with `isNative`
    /// @param isNative whether the call spends the destination's native coin
    /// @param cost the amount that the call spends
    /// @param target contract to call on the destination chain
    /// @param data its call data
    /// @param minimumGas gas that the call must get
    struct Request {
        address customer;
        bytes32 nonce;
        uint256 amount;
        uint256 dstChainId;
        address dstToken;
        bool isNative;
        uint256 cost;
        address target;
        bytes data;
        uint256 minimumGas;
    }

    /// @notice The delivery that the destination chain executes: a request and its origin, from `BridgeRequested`. Its
    /// ID is the hash of all fields and the destination chain.
    /// @param srcChainId chain of the request
    /// @param srcAdapter adapter that emitted it
    /// @param number the request's number on that adapter
    /// @param customer may claim the funds if the call fails
    /// @param nonce the permit's nonce
    /// @param amount USDC that was paid for it, in raw units
    /// @param token `dstToken`; zero for the native coin
    /// @param cost the amount that the call spends
    /// @param target contract to call
    /// @param data its call data
    /// @param minimumGas gas that the call must get
    struct Delivery {
        uint256 srcChainId;
        address srcAdapter;
        uint256 number;
        address customer;
        bytes32 nonce;
        uint256 amount;
        address token;
        uint256 cost;
        address target;
        bytes data;
        uint256 minimumGas;
    }

    /// @notice A settlement was paid for and waits for its execution on another chain.
    /// @param id hash of the delivery
    /// @param customer may claim the funds if the call fails
    /// @param nonce the permit's nonce
    /// @param number the request's number on this adapter, from 1
    /// @param amount USDC that was taken for `cost`, in raw units
    /// @param dstChainId destination chain
    /// @param dstToken token that the call spends there; zero with `isNative`
    /// @param isNative whether the call spends the native coin
    /// @param cost the amount that the call spends
    /// @param target contract to call
    /// @param data its call data
    /// @param minimumGas gas that the call must get
    event BridgeRequested(
        bytes32 indexed id,
        address indexed customer,
        bytes32 indexed nonce,
        uint256 number,
        uint256 amount,
        uint256 dstChainId,
        address dstToken,
        bool isNative,
        uint256 cost,
        address target,
        bytes data,
        uint256 minimumGas
    );

    /// @notice A request from another chain was executed here.
    /// @param id hash of the delivery
    /// @param customer who may claim
    /// @param success whether the call succeeded
    /// @param claimable raw units that the customer may claim: all of `cost` after a failure, otherwise the unspent part
    /// @param reason at most 256 bytes of the revert data
    event BridgeExecuted(bytes32 indexed id, address indexed customer, bool success, uint256 claimable, bytes reason);

    /// @notice A customer claimed everything claimable in a token.
    /// @param customer the customer whose funds were claimed
    /// @param token the token; zero for the native coin
    /// @param to receives it
    /// @param amount raw units
    event Claimed(address indexed customer, address indexed token, address to, uint256 amount);

    /// @notice The rate of a route was set.
    /// @param dstChainId destination chain
    /// @param dstToken token there; zero for the native coin
    /// @param costPerUsdc raw units that 1 USDC pays for; zero: closed
    event RouteSet(uint256 indexed dstChainId, address indexed dstToken, uint256 costPerUsdc);

    /// @notice The admin allowed or forbade an adapter on another chain as a source.
    /// @param srcChainId its chain
    /// @param srcAdapter the adapter
    /// @param allowed whether its requests are executed here
    event SourceSet(uint256 indexed srcChainId, address indexed srcAdapter, bool allowed);

    /// @notice The daily limit of a token was set.
    /// @param token the token; zero for the native coin
    /// @param amount raw units per day (UTC)
    event DailyLimitSet(address indexed token, uint256 amount);

    /// @notice The treasurer withdrew liquidity.
    /// @param token the token; zero for the native coin
    /// @param to receives it
    /// @param amount raw units
    event LiquidityWithdrawn(address indexed token, address to, uint256 amount);

    /// @notice Only the credits contract may request a delivery.
    /// @param caller the account that called
    error OnlyCredits(address caller);

    /// @notice The route is closed.
    /// @param dstChainId destination chain
    /// @param dstToken token there
    error UnknownRoute(uint256 dstChainId, address dstToken);

    /// @notice The amount does not cover the cost at the route's rate.
    /// @param cost the amount that the call spends
    /// @param covered the cost that the amount covers
    error CostNotCovered(uint256 cost, uint256 covered);

    /// @notice The delivery was already executed.
    /// @param id its id
    error AlreadyExecuted(bytes32 id);

    /// @notice The liquidity is too small.
    /// @param token the token
    /// @param available raw units: the balance minus all claimable funds
    /// @param needed raw units
    error InsufficientLiquidity(address token, uint256 available, uint256 needed);

    /// @notice The relayer supplied too little gas for the call.
    /// @param available gas that the call would get
    /// @param minimum gas that it needs
    error InsufficientGas(uint256 available, uint256 minimum);

    /// @notice The admin has not allowed this source.
    /// @param srcChainId its chain
    /// @param srcAdapter the adapter
    error UnknownSource(uint256 srcChainId, address srcAdapter);

    /// @notice The delivery exceeds the rest of the token's daily limit.
    /// @param token the token
    /// @param remaining raw units that can still be spent today
    /// @param needed raw units
    error DailyLimitExceeded(address token, uint256 remaining, uint256 needed);

    /// @notice The signed claim has expired.
    /// @param validBefore first second at which it is invalid
    /// @param timestamp the current time
    error ClaimExpired(uint256 validBefore, uint256 timestamp);

    /// @notice The customer did not sign this claim: a field differs, or its nonce was already used.
    /// @param customer the customer
    /// @param digest EIP-712 digest that the customer must sign now
    error InvalidClaimSignature(address customer, bytes32 digest);

    /// @notice The customer has nothing to claim in this token.
    /// @param customer the customer
    /// @param token the token
    error NothingToClaim(address customer, address token);

    /// @notice The receiver refused the native coin.
    /// @param to the receiver
    /// @param amount wei
    error NativeTransferFailed(address to, uint256 amount);

    /// @notice An address is zero.
    /// @param field its name
    error ZeroAddress(string field);

    /// @notice Source side: takes USDC from the credits contract and requests the call on the destination chain. Uses an
    /// allowance to take `cost` at the route's rate, rounded up to a raw unit. The rest of `amount` stays in the credits
    /// contract.
    /// @dev Only the credits contract may call this. The route must be open, and `amount` must cover `cost`.
    /// @param request the request
    /// @return id of the request, unique over all chains and adapters
    function bridge(Request calldata request) external returns (bytes32 id);

    /// @notice Destination side: makes the call and pays its `cost` out of the liquidity. Each ID is executed once.
    /// Only a relayer may call this, only for an allowed source, and within the token's daily limit.
    /// @dev Does not revert if the call fails: the customer can then claim the funds.
    /// @param delivery the delivery
    /// @return success whether the call succeeded
    function execute(Delivery calldata delivery) external returns (bool success);

    /// @notice Pays the caller all claimable funds in a token: the cost of failed calls, and unspent parts of costs.
    /// @dev Closed in the first 3 days of a pause.
    /// @param token the token; zero for the native coin
    /// @param to receives it
    /// @return amount raw units
    function claim(address token, address to) external returns (uint256 amount);

    /// @notice Does the same as `claim` for a customer without gas on this chain. The customer signs `Claim(address
    /// customer,address token,address to,uint256 nonce,uint256 validBefore)`, and anyone may relay it.
    /// @param customer the customer whose funds are claimed
    /// @param token the token; zero for the native coin
    /// @param to receives it
    /// @param validBefore first second at which the signature is invalid
    /// @param signature of a key (65 bytes) or of a contract (ERC-1271); its nonce is `claimNonce(customer, token)`
    /// @return amount raw units
    function claimFor(address customer, address token, address to, uint256 validBefore, bytes calldata signature)
        external
        returns (uint256 amount);

    /// @notice Returns the nonce of a customer's next signed claim of a token. Nonces count per token, so claims of two
    /// tokens can be signed together and relayed in any order.
    /// @param customer the customer
    /// @param token the token
    /// @return the number of claims executed by signature
    function claimNonce(address customer, address token) external view returns (uint256);

    /// @notice Returns the EIP-712 digest that a customer signs for `claimFor` now. Domain: `name` "BridgeAdapter", `version` "1".
    /// @param customer the customer whose funds are claimed
    /// @param token the token
    /// @param to receives it
    /// @param validBefore first second at which the signature is invalid
    /// @return digest 32 bytes
    function hashClaim(address customer, address token, address to, uint256 validBefore)
        external
        view
        returns (bytes32 digest);

    /// @notice Allows or forbids an adapter on another chain as a source. Callable only by the admin.
    /// @param srcChainId its chain
    /// @param srcAdapter the adapter
    /// @param allowed whether its requests are executed here
    function setSource(uint256 srcChainId, address srcAdapter, bool allowed) external;

    /// @notice Sets how much of a token `execute` may spend per day (UTC). With zero, the initial value, only
    /// deliveries without cost are possible. Around midnight, up to twice the limit can be spent. Callable only by the admin.
    /// @param token the token; zero for the native coin
    /// @param amount raw units
    function setDailyLimit(address token, uint256 amount) external;

    /// @notice Sets the rate of a route: how much of a destination token 1 USDC (1_000_000 raw units) buys. Without a
    /// rate, anyone could request a large `cost` for a small `amount`. Callable only by holders of the route role.
    /// @param dstChainId destination chain
    /// @param dstToken token there; zero for the native coin
    /// @param costPerUsdc raw units; zero closes the route
    function setRoute(uint256 dstChainId, address dstToken, uint256 costPerUsdc) external;

    /// @notice Withdraws liquidity, but never claimable funds. Callable only by the treasurer.
    /// @param token the token; zero for the native coin
    /// @param to receives it
    /// @param amount raw units
    function withdraw(address token, address to, uint256 amount) external;

    /// @notice Moves native coin or ERC-20 tokens that the executor received by mistake. Callable only by the admin. The adapter's
    /// own balance cannot be moved, because it is liquidity or claimable.
    /// @param token its contract; zero for the native coin
    /// @param amount raw units
    /// @param to their receiver
    function rescueFromExecutor(address token, uint256 amount, address to) external;

    /// @notice Moves an ERC-721 token that the adapter or its executor received by mistake, or because a call minted it
    /// to its caller. Callable only by the admin.
    /// @param nftContract its contract
    /// @param nftId the token
    /// @param to its receiver
    function rescueNft(IERC721 nftContract, uint256 nftId, address to) external;

    /// @notice Returns the rate of a route.
    /// @param dstChainId destination chain
    /// @param dstToken token there; zero for the native coin
    /// @return costPerUsdc raw units that 1 USDC pays for; zero: closed
    function routeOf(uint256 dstChainId, address dstToken) external view returns (uint256 costPerUsdc);

    /// @notice Returns the amount that a customer can claim.
    /// @param customer the customer
    /// @param token the token; zero for the native coin
    /// @return raw units
    function claimableOf(address customer, address token) external view returns (uint256);

    /// @notice Returns whether a delivery was executed.
    /// @param id its id
    /// @return true if it was executed
    function executed(bytes32 id) external view returns (bool);

    /// @notice Returns whether an adapter of another chain is an allowed source.
    /// @param srcChainId its chain
    /// @param srcAdapter the adapter
    /// @return true if it is allowed
    function isSource(uint256 srcChainId, address srcAdapter) external view returns (bool);

    /// @notice Returns the daily limit of a token.
    /// @param token the token; zero for the native coin
    /// @return raw units
    function dailyLimitOf(address token) external view returns (uint256);

    /// @notice Returns how much of a token `execute` may still spend today.
    /// @param token the token; zero for the native coin
    /// @return raw units
    function remainingToday(address token) external view returns (uint256);

    /// @notice Returns the id under which a delivery is executed here.
    /// @param delivery the delivery
    /// @return id its hash
    function idOf(Delivery calldata delivery) external view returns (bytes32 id);

    /// @notice Returns how much `execute` can spend: the balance minus all claimable funds.
    /// @param token the token; zero for the native coin
    /// @return raw units
    function liquidityOf(address token) external view returns (uint256);
}
