// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IEmergencyPause} from "./IEmergencyPause.sol";
import {ITokenRescue} from "./ITokenRescue.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// @title Carries a decent settlement to another chain
/// @notice One contract, deployed on every chain, is the source of some settlements and the destination of others.
/// @dev There is no third-party bridge behind it: the service reads `BridgeRequested` on the source chain and calls
/// `execute` on the destination chain, where the operator keeps liquidity. The request is final once the source chain's
/// transaction is. Amounts are raw units of their token; `address(0)` as a token is the chain's own coin. PROTOCOL.md 6.7.
///
/// What is proven on the destination chain: the source is one that the admin named, the id is the hash of everything that is
/// executed, and each id is executed once. That the source chain emitted it is the relayer's word; the daily limit bounds
/// what a stolen relayer key can take, and a pauser stops it. A pause stops `bridge`, `execute`, `claim` and `claimFor`; claims
/// open again after 3 days of it (`exitOpensAt`).
interface IBridgeAdapter is IEmergencyPause, ITokenRescue {
    /// @notice What the source chain asks for.
    /// @param customer who may claim the funds if the call fails on the destination chain
    /// @param nonce the permit's nonce, for lookups
    /// @param amount the most of the settlement token that the caller pays on this chain
    /// @param dstToken token that `target` is paid in; zero when `isNative`
    /// @param cost how much of it
    /// @param target contract to call on the destination chain
    /// @param minimumGas gas that the call must be given
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

    /// @notice What the destination chain executes: a request, named by where it was made, with the fields of its
    /// `BridgeRequested`. The id is the hash of all of it.
    /// @param srcChainId chain of the request
    /// @param srcAdapter adapter that emitted it
    /// @param number which of that adapter's requests it is
    /// @param amount settlement token that was paid for it
    /// @param token `dstToken`; zero for the chain's own coin
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

    /// @param number which of this adapter's requests it is, from 1
    /// @param amount settlement token that was taken for `cost`
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

    /// @param success whether the call went through
    /// @param claimable what the customer may claim: all of `cost` after a failure, else what the call left over
    /// @param reason at most 256 bytes of the revert data
    event BridgeExecuted(bytes32 indexed id, address indexed customer, bool success, uint256 claimable, bytes reason);
    event Claimed(address indexed customer, address indexed token, address to, uint256 amount);
    event RouteSet(uint256 indexed dstChainId, address indexed dstToken, uint256 costPerUsdc);
    event SourceSet(uint256 indexed srcChainId, address indexed srcAdapter, bool allowed);
    event DailyLimitSet(address indexed token, uint256 amount);
    event LiquidityWithdrawn(address indexed token, address to, uint256 amount);

    error OnlyCredits(address caller);
    error UnknownRoute(uint256 dstChainId, address dstToken);
    error CostNotCovered(uint256 cost, uint256 covered);
    error AlreadyExecuted(bytes32 id);
    error InsufficientLiquidity(address token, uint256 available, uint256 needed);
    error InsufficientGas(uint256 available, uint256 minimum);
    error UnknownSource(uint256 srcChainId, address srcAdapter);
    error DailyLimitExceeded(address token, uint256 remaining, uint256 needed);
    error ClaimExpired(uint256 validBefore, uint256 timestamp);
    error InvalidClaimSignature(address customer, bytes32 digest);
    error NothingToClaim(address customer, address token);
    error NativeTransferFailed(address to, uint256 amount);
    error ZeroAddress(string field);

    /// @notice Source side: takes what `cost` is worth by the route's rate, rounded up to a raw unit, from the credits
    /// contract, by allowance, and asks for the call on the destination chain. What is left of `amount` stays there.
    /// @dev Only the credits contract may call it. The route must exist and `amount` must pay for `cost` by its rate.
    /// @return id of the request, unique over all chains and adapters
    function bridge(Request calldata request) external returns (bytes32 id);

    /// @notice Destination side: pays `cost` out of the liquidity into the call. Once per id, only a relayer, only for a known
    /// source, and within the token's limit of the day.
    /// @dev Never reverts because the call failed: then the funds are the customer's to claim.
    /// @return success whether the call went through
    function execute(Delivery calldata delivery) external returns (bool success);

    /// @notice Pays the caller everything that failed calls, and the change of others, left to them in `token`, to an address of their choice.
    /// @dev Not in the first 3 days of a pause.
    function claim(address token, address to) external returns (uint256 amount);

    /// @notice The same for a customer who has no gas here, on their signature of
    /// `Claim(address customer,address token,address to,uint256 nonce,uint256 validBefore)`. Anyone may relay it.
    /// @param validBefore the signature is dead from this second on
    /// @param signature of a key (65 bytes) or of a contract (ERC-1271); the nonce in it is `claimNonce(customer, token)`
    function claimFor(address customer, address token, address to, uint256 validBefore, bytes calldata signature)
        external
        returns (uint256 amount);

    /// @notice The nonce of a customer's next signed claim of a token: how many it has used. Claims of two tokens can be signed
    /// together and relayed in any order.
    function claimNonce(address customer, address token) external view returns (uint256);

    /// @notice What a customer signs for `claimFor` now. Domain: `name` "BridgeAdapter", `version` "1".
    function hashClaim(address customer, address token, address to, uint256 validBefore)
        external
        view
        returns (bytes32 digest);

    /// @notice Names an adapter of another chain whose requests are executed here. Only the admin.
    function setSource(uint256 srcChainId, address srcAdapter, bool allowed) external;

    /// @notice Sets the most of a token that is executed in one day (UTC); zero, as at first, is nothing, but for deliveries that cost nothing.
    /// Two days meet at midnight: within moments twice the limit can go. Only the admin.
    function setDailyLimit(address token, uint256 amount) external;

    /// @notice Sets the most of a destination token that one whole USDC (1_000_000 raw units) pays for; zero closes the
    /// route. Without it anybody could ask for a large `cost` with a small `amount`.
    /// @param dstToken zero for the destination chain's own coin
    function setRoute(uint256 dstChainId, address dstToken, uint256 costPerUsdc) external;

    /// @notice Takes liquidity out; never what is claimable.
    function withdraw(address token, address to, uint256 amount) external;

    /// @notice Sends coin or ERC-20 tokens on that came to the executor by mistake. Only the admin. What lies in the adapter itself
    /// is liquidity, or a customer's.
    /// @param token zero for the chain's own coin
    /// @param amount raw units
    /// @param to their receiver
    function rescueFromExecutor(address token, uint256 amount, address to) external;

    /// @notice Sends an ERC-721 token on that came to the adapter or its executor: by mistake, or because a call minted it to its
    /// caller. Only the admin.
    /// @param nftContract its contract
    /// @param nftId the token
    /// @param to its receiver
    function rescueNft(IERC721 nftContract, uint256 nftId, address to) external;

    function routeOf(uint256 dstChainId, address dstToken) external view returns (uint256 costPerUsdc);
    function claimableOf(address customer, address token) external view returns (uint256);
    function executed(bytes32 id) external view returns (bool);
    function isSource(uint256 srcChainId, address srcAdapter) external view returns (bool);
    function dailyLimitOf(address token) external view returns (uint256);

    /// @notice What `execute` may still spend of a token today.
    function remainingToday(address token) external view returns (uint256);

    /// @notice The id under which a delivery is executed here.
    function idOf(Delivery calldata delivery) external view returns (bytes32 id);

    /// @notice What `execute` can pay: the balance less everything claimable.
    function liquidityOf(address token) external view returns (uint256);
}
