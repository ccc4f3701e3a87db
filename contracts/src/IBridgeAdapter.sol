// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Carries a decent settlement to another chain
/// @notice One contract, deployed on every chain, is the source of some settlements and the destination of others.
/// @dev There is no third-party bridge behind it: the service reads `BridgeRequested` on the source chain and calls
/// `execute` on the destination chain, where the operator keeps liquidity. The request is final once the source chain's
/// transaction is. Amounts are raw units of their token; `address(0)` as a token is the chain's own coin.
interface IBridgeAdapter {
    /// @notice What the source chain asks for.
    /// @param customer who may claim the funds if the call fails on the destination chain
    /// @param nonce the permit's nonce, for lookups
    /// @param amount settlement token that the caller pays on this chain
    /// @param dstToken token that `target` is paid in; zero when `isNative`
    /// @param cost how much of it
    /// @param target contract to call on the destination chain
    /// @param minimumGas gas that the call must be given; zero for none
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

    /// @notice What the destination chain executes: the fields of `BridgeRequested`, as the service carries them.
    struct Delivery {
        bytes32 id;
        address customer;
        address token;
        uint256 cost;
        address target;
        bytes data;
        uint256 minimumGas;
    }

    event BridgeRequested(
        bytes32 indexed id,
        address indexed customer,
        bytes32 indexed nonce,
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
    event LiquidityWithdrawn(address indexed token, address to, uint256 amount);

    error OnlyCredits(address caller);
    error UnknownRoute(uint256 dstChainId, address dstToken);
    error CostNotCovered(uint256 cost, uint256 covered);
    error AlreadyExecuted(bytes32 id);
    error InsufficientLiquidity(address token, uint256 available, uint256 needed);
    error InsufficientGas(uint256 available, uint256 minimum);
    error NothingToClaim(address customer, address token);
    error NativeTransferFailed(address to, uint256 amount);
    error ZeroAddress(string field);

    /// @notice Source side: takes `amount` of the settlement token from the credits contract, by allowance, and asks for
    /// the call on the destination chain.
    /// @dev Only the credits contract may call it. The route must exist and `amount` must pay for `cost` by its rate.
    /// @return id of the request, unique over all chains and adapters
    function bridge(Request calldata request) external returns (bytes32 id);

    /// @notice Destination side: pays `cost` out of the liquidity into the call. Once per id, only a relayer.
    /// @dev Never reverts because the call failed: then the funds are the customer's to claim.
    /// @return success whether the call went through
    function execute(Delivery calldata delivery) external returns (bool success);

    /// @notice Pays the caller everything that failed calls left to them in `token`, to an address of their choice.
    function claim(address token, address to) external returns (uint256 amount);

    /// @notice Sets the most of a destination token that one whole USDC (1_000_000 raw units) pays for; zero closes the
    /// route. Without it anybody could ask for a large `cost` with a small `amount`.
    /// @param dstToken zero for the destination chain's own coin
    function setRoute(uint256 dstChainId, address dstToken, uint256 costPerUsdc) external;

    /// @notice Takes liquidity out; never what is claimable.
    function withdraw(address token, address to, uint256 amount) external;

    function routeOf(uint256 dstChainId, address dstToken) external view returns (uint256 costPerUsdc);
    function claimableOf(address customer, address token) external view returns (uint256);
    function executed(bytes32 id) external view returns (bool);

    /// @notice What `execute` can pay: the balance less everything claimable.
    function liquidityOf(address token) external view returns (uint256);
}
