// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../src/IBridgeAdapter.sol";
import {ICredits} from "../src/ICredits.sol";
import {RoleGrant, Setup} from "../src/RoleGrant.sol";
import {IBridgeAdapterContract, ICreditsContract, IPaymentSettlementContract} from "./Deployed.sol";
import {Test} from "./Test.sol";
import {
    KnownTokenIdMerchant,
    NormalMerchant,
    ReturnedMerchant,
    SafeMintMerchant1155,
    SafeMintMerchant721
} from "./mocks/HonestMerchants.sol";
import {MockUsdc} from "./mocks/MockUsdc.sol";

/// @title A credits contract with accounts, merchants and helpers that build redeems, deliveries and signatures
abstract contract CreditsFixture is Test {
    string internal constant SEED = "shop";
    uint256 internal constant DOLLAR = 1_000_000;
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant DST_CHAIN = 42_161;
    uint256 internal constant SRC_CHAIN = 10;
    address internal constant SRC_ADAPTER = address(0x50A5CE);
    /// @dev The minimum gas of a whitelist entry, unless a test passes a different value.
    uint256 internal constant CALL_GAS = 50_000;

    uint256 internal constant CUSTOMER_KEY = uint256(keccak256("customer"));
    address internal immutable customer = vm.addr(CUSTOMER_KEY);
    address internal immutable operator = _person("operator");
    address internal immutable minter = _person("minter");
    address internal immutable admin = _person("admin");
    address internal immutable issuer = _person("issuer");
    address internal immutable feeRecipient = _person("fee recipient");
    address internal immutable stranger = _person("stranger");
    address internal immutable receiver = _person("receiver");

    MockUsdc internal usdc;
    ICreditsContract internal credits;
    IBridgeAdapterContract internal adapter;
    NormalMerchant internal normalMerchant;
    SafeMintMerchant721 internal mint721;
    SafeMintMerchant1155 internal mint1155;
    ReturnedMerchant internal returnedMerchant;
    KnownTokenIdMerchant internal knownMerchant;

    uint256 private _salts;

    function setUp() public virtual {
        vm.warp(NOW);
        vm.chainId(8453);
        usdc = _newUsdc();
        credits = _newCredits(address(usdc), address(0));
        adapter = _newAdapter(address(credits), address(usdc));
        normalMerchant = new NormalMerchant(address(usdc));
        mint721 = new SafeMintMerchant721(address(usdc));
        mint1155 = new SafeMintMerchant1155(address(usdc));
        returnedMerchant = new ReturnedMerchant(address(usdc));
        knownMerchant = new KnownTokenIdMerchant(address(usdc));

        vm.startPrank(admin);
        credits.grantRole(credits.OPERATOR_ROLE(), operator);
        credits.grantRole(credits.MINTER_ROLE(), minter);
        credits.grantRole(credits.WHITELIST_ROLE(), admin);
        credits.grantRole(credits.PAUSER_ROLE(), admin);
        credits.setBridgeAdapter(address(adapter));
        adapter.grantRole(adapter.ROUTE_ROLE(), admin);
        adapter.grantRole(adapter.RELAYER_ROLE(), operator);
        adapter.grantRole(adapter.TREASURER_ROLE(), admin);
        adapter.grantRole(adapter.PAUSER_ROLE(), admin);
        vm.stopPrank();

        _allow(address(normalMerchant));
        _allow(address(mint721));
        _allow(address(mint1155));
        _allow(address(returnedMerchant));
        _allow(address(knownMerchant));
        _mintCredits(SEED, customer, 1000 * DOLLAR);
    }

    // Accounts and money

    function _person(string memory name) internal pure returns (address) {
        return vm.addr(uint256(keccak256(bytes(name))));
    }

    function _newUsdc() internal virtual returns (MockUsdc token) {
        token = new MockUsdc();
        token.initialize("USD Coin", "USDC", "USD", 6, issuer, issuer, issuer, issuer);
        vm.startPrank(issuer);
        token.configureMinter(issuer, type(uint256).max);
        vm.stopPrank();
    }

    function _newCredits(address token, address signatureVerifier) internal virtual returns (ICreditsContract) {
        Setup memory setup;
        bytes memory arguments = abi.encode(token, admin, uint48(1 days), feeRecipient, signatureVerifier, setup);
        return ICreditsContract(vm.deployCode("Credits.sol:Credits", arguments));
    }

    function _newAdapter(address source, address token) internal returns (IBridgeAdapterContract) {
        bytes memory arguments = abi.encode(source, token, admin, uint48(0), new RoleGrant[](0));
        return IBridgeAdapterContract(vm.deployCode("BridgeAdapter.sol:BridgeAdapter", arguments));
    }

    /// @dev Lets the operator settle payments from its own USDC.
    function _newPayments() internal returns (IPaymentSettlementContract payments) {
        bytes memory arguments = abi.encode(credits, admin, uint48(0), new RoleGrant[](0));
        payments = IPaymentSettlementContract(vm.deployCode("PaymentSettlement.sol:PaymentSettlement", arguments));
        vm.startPrank(admin);
        payments.grantRole(payments.OPERATOR_ROLE(), operator);
        credits.grantRole(credits.MINTER_ROLE(), address(payments));
        vm.stopPrank();
        vm.prank(operator);
        usdc.approve(address(payments), type(uint256).max);
    }

    function _fund(address account, uint256 amount) internal {
        vm.prank(issuer);
        usdc.mint(account, amount);
    }

    function _mintCredits(string memory seed, address wallet, uint256 amount) internal {
        _fund(minter, amount);
        vm.startPrank(minter);
        usdc.approve(address(credits), amount);
        credits.mint(seed, wallet, amount);
        vm.stopPrank();
    }

    function _allow(address target) internal {
        _whitelist(block.chainid, target, 0, true, true, CALL_GAS);
    }

    function _whitelist(
        uint256 chainId,
        address target,
        bytes4 selector,
        bool anySelector,
        bool allowed,
        uint256 minimumGas
    ) internal {
        vm.prank(admin);
        credits.setWhitelist(SEED, chainId, target, selector, anySelector, allowed, minimumGas);
    }

    // What a redeem executes

    function _call(ICredits.Kind kind, address target, bytes memory data)
        internal
        pure
        returns (ICredits.Settlement memory settlement)
    {
        settlement.kind = kind;
        settlement.target = target;
        settlement.data = data;
    }

    function _token(address destination) internal pure returns (ICredits.Settlement memory) {
        return _call(ICredits.Kind.Token, destination, "");
    }

    function _normal(uint256 price) internal view returns (ICredits.Settlement memory) {
        return
            _call(ICredits.Kind.Normal, address(normalMerchant), abi.encodeCall(NormalMerchant.buy, (receiver, price)));
    }

    function _safeMint(uint256 count, uint256 price) internal view returns (ICredits.Settlement memory settlement) {
        bytes memory data = abi.encodeCall(SafeMintMerchant721.mint, (count, price));
        settlement = _call(ICredits.Kind.SafeMint, address(mint721), data);
        settlement.nftContract = address(mint721);
    }

    function _returned(uint256 price) internal view returns (ICredits.Settlement memory settlement) {
        bytes memory data = abi.encodeCall(ReturnedMerchant.mint, (price));
        settlement = _call(ICredits.Kind.Returned, address(returnedMerchant), data);
        settlement.nftContract = address(returnedMerchant);
    }

    function _known(uint256 nftId) internal view returns (ICredits.Settlement memory settlement) {
        bytes memory data = abi.encodeCall(KnownTokenIdMerchant.buy, (nftId));
        settlement = _call(ICredits.Kind.KnownTokenId, address(knownMerchant), data);
        settlement.nftContract = address(knownMerchant);
        settlement.nftId = nftId;
    }

    /// @dev Uses a destination whose addresses do not exist on this chain.
    function _decent(uint256 cost) internal view returns (ICredits.Settlement memory settlement) {
        bytes memory data = abi.encodeCall(NormalMerchant.buy, (receiver, cost));
        settlement = _call(ICredits.Kind.Decent, address(0xDE57), data);
        settlement.bridge =
            ICredits.Bridge({dstChainId: DST_CHAIN, dstToken: address(0xD011A5), isNative: false, cost: cost});
    }

    function _openRoute() internal {
        _whitelist(DST_CHAIN, address(0xDE57), NormalMerchant.buy.selector, false, true, CALL_GAS);
        vm.prank(admin);
        adapter.setRoute(DST_CHAIN, address(0xD011A5), DOLLAR);
    }

    /// @dev A delivery from the source chain.
    function _delivery(address token, uint256 cost, address target, bytes memory data)
        internal
        view
        returns (IBridgeAdapter.Delivery memory)
    {
        return IBridgeAdapter.Delivery({
            srcChainId: SRC_CHAIN,
            srcAdapter: SRC_ADAPTER,
            number: 1,
            customer: customer,
            nonce: bytes32(uint256(77)),
            amount: DOLLAR,
            token: token,
            cost: cost,
            target: target,
            data: data,
            minimumGas: CALL_GAS
        });
    }

    // A redeem, unsigned and signed

    /// @dev Returns an unsigned request that is bound to no intent: `_bind`, `_sign` and `_authorize` complete it.
    function _request(ICredits.Settlement memory settlement, uint256 amount, uint256 usdcAmount, uint256 gasFee)
        internal
        returns (ICredits.RedeemRequest memory request)
    {
        request.permit.customerWallet = customer;
        request.permit.creditSeed = SEED;
        request.permit.amount = amount - usdcAmount + gasFee;
        request.permit.validBefore = block.timestamp + 1 hours;
        request.intent = ICredits.Intent(amount, usdcAmount, keccak256(abi.encode("salt", ++_salts)));
        request.settlement = settlement;
        request.gasFee = gasFee;
    }

    /// @dev Binds the request to a new order, whose key is derived from the salt.
    function _bind(ICredits.RedeemRequest memory request) internal view {
        _bind(request, bytes12(request.intent.salt));
    }

    function _bind(ICredits.RedeemRequest memory request, bytes12 orderKey) internal view {
        request.permit.nonce = credits.intentNonce(
            orderKey, request.permit.customerWallet, credits.hashSettlement(request.settlement), request.intent
        );
    }

    /// @dev Calls `redeemToken` with the values of a request.
    function _redeemToken(ICredits.RedeemRequest memory request) internal {
        credits.redeemToken(
            request.permit, request.intent.amount, request.gasFee, request.intent.salt, request.settlement.target
        );
    }

    function _sign(ICredits.RedeemRequest memory request) internal view {
        request.permit.signature = _signature(CUSTOMER_KEY, credits.hashCreditsAuthorization(request.permit));
    }

    function _authorize(ICredits.RedeemRequest memory request, ICredits.UsdcMethod method) internal view {
        if (method == ICredits.UsdcMethod.None) return;
        request.usdcAuthorization.method = method;
        request.usdcAuthorization.signature = _signature(CUSTOMER_KEY, _authorizationDigest(request));
    }

    /// @dev The digest that the customer signs for USDC, for the method of the request.
    function _authorizationDigest(ICredits.RedeemRequest memory request) internal view returns (bytes32) {
        ICredits.UsdcMethod method = request.usdcAuthorization.method;
        bool transfer = method == ICredits.UsdcMethod.TransferV1 || method == ICredits.UsdcMethod.TransferV2;
        ICredits.EarlyAuthorization memory authorization = _early(request);
        return _authorizationDigest(
            transfer ? usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH() : usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
            authorization,
            address(credits)
        );
    }

    function _authorizationDigest(bytes32 typehash, ICredits.EarlyAuthorization memory authorization, address to)
        internal
        view
        returns (bytes32)
    {
        bytes32 structHash = keccak256(
            abi.encode(
                typehash,
                authorization.from,
                to,
                authorization.value,
                authorization.validAfter,
                authorization.validBefore,
                authorization.nonce
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", usdc.DOMAIN_SEPARATOR(), structHash));
    }

    /// @dev Returns a redeem's USDC authorization as the credits contract takes it once the token has executed it early.
    function _early(ICredits.RedeemRequest memory request) internal pure returns (ICredits.EarlyAuthorization memory) {
        return ICredits.EarlyAuthorization({
            from: request.permit.customerWallet,
            value: request.intent.usdcAmount,
            validAfter: 0,
            validBefore: request.permit.validBefore,
            nonce: request.permit.nonce,
            signature: request.usdcAuthorization.signature
        });
    }

    /// @dev Returns the call to USDC with which anyone can execute a redeem's transfer authorization.
    function _usdcCall(ICredits.RedeemRequest memory request) internal view returns (bytes memory) {
        return _usdcCall(_early(request), address(credits));
    }

    function _usdcCall(ICredits.EarlyAuthorization memory authorization, address to)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSignature(
            "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
            authorization.from,
            to,
            authorization.value,
            authorization.validAfter,
            authorization.validBefore,
            authorization.nonce,
            authorization.signature
        );
    }

    function _executeEarly(ICredits.RedeemRequest memory request) internal {
        _executeEarly(_early(request), address(credits));
    }

    function _executeEarly(ICredits.EarlyAuthorization memory authorization, address to) internal {
        vm.prank(stranger);
        (bool success,) = address(usdc).call(_usdcCall(authorization, to));
        vm.assertTrue(success);
    }

    /// @dev Encodes the requests as items of a batch.
    function _encoded(ICredits.RedeemRequest[] memory requests) internal pure returns (bytes[] memory items) {
        items = new bytes[](requests.length);
        for (uint256 i = 0; i < requests.length; ++i) {
            items[i] = abi.encode(requests[i]);
        }
    }

    /// @dev Returns a signed redeem that is paid only from credits.
    function _signed(ICredits.Settlement memory settlement, uint256 amount)
        internal
        returns (ICredits.RedeemRequest memory request)
    {
        return _signed(settlement, amount, 0, 0, ICredits.UsdcMethod.None);
    }

    function _signed(
        ICredits.Settlement memory settlement,
        uint256 amount,
        uint256 usdcAmount,
        uint256 gasFee,
        ICredits.UsdcMethod method
    ) internal returns (ICredits.RedeemRequest memory request) {
        request = _request(settlement, amount, usdcAmount, gasFee);
        _bind(request);
        _sign(request);
        _authorize(request, method);
    }

    /// @dev Returns a redeem by a wallet with enough credits. The customer, who owns the wallet, signs it.
    function _signedBy(address wallet, ICredits.Settlement memory settlement, uint256 amount)
        internal
        returns (ICredits.RedeemRequest memory request)
    {
        _mintCredits(SEED, wallet, amount);
        request = _request(settlement, amount, 0, 0);
        request.permit.customerWallet = wallet;
        _bind(request);
        _sign(request);
    }

    /// @dev Uses a random nonce, which only an operator may redeem, and only if the seed allows it.
    function _signedRandomNonce(
        ICredits.Settlement memory settlement,
        uint256 amount,
        uint256 usdcAmount,
        uint256 gasFee,
        ICredits.UsdcMethod method
    ) internal returns (ICredits.RedeemRequest memory request) {
        request = _request(settlement, amount, usdcAmount, gasFee);
        request.permit.nonce = keccak256(abi.encode("random", request.intent.salt)) & ~bytes32(uint256(1) << 255);
        request.intent.salt = 0;
        _sign(request);
        _authorize(request, method);
    }

    function _allowRandomNonces() internal {
        vm.prank(admin);
        credits.setRandomNoncePermits(SEED, true);
    }

    function _redeem(ICredits.RedeemRequest memory request) internal {
        vm.prank(operator);
        credits.redeem(request);
    }

    function _expectRedeemReverts(ICredits.RedeemRequest memory request, bytes memory reason) internal {
        vm.prank(operator);
        vm.expectRevert(reason);
        credits.redeem(request);
        vm.assertEq(uint256(_stateOf(request)), uint256(ICredits.OrderState.Unused));
    }

    function _stateOf(ICredits.RedeemRequest memory request) internal view returns (ICredits.OrderState) {
        return _orderState(request.permit.customerWallet, request.permit.nonce);
    }

    /// @dev The state of the order to which a nonce belongs.
    function _orderState(address wallet, bytes32 nonce) internal view returns (ICredits.OrderState state) {
        (state,,) = credits.orderState(wallet, bytes12(nonce));
    }

    /// @dev Returns the error of a second attempt at a used order.
    function _orderUsed(address wallet, bytes32 nonce, ICredits.OrderState state) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(
            ICredits.OrderUsed.selector, wallet, bytes12(nonce), state, bytes20(uint160(uint256(nonce)))
        );
    }

    function _cancelSignature(bytes32 nonce) internal view returns (bytes memory) {
        return _signature(CUSTOMER_KEY, credits.hashCancelCreditsAuthorization(customer, nonce));
    }

    function _cancel(bytes32 nonce) internal {
        bytes memory signature = _cancelSignature(nonce);
        vm.prank(stranger);
        vm.expectEmit(address(credits));
        emit ICredits.CreditsAuthorizationCancelled(customer, bytes12(nonce), nonce);
        credits.cancelCreditsAuthorization(customer, nonce, signature);
        vm.assertEq(uint256(_orderState(customer, nonce)), uint256(ICredits.OrderState.Cancelled));
    }

    /// @dev Returns a gas limit for each item of a batch.
    function _limits(uint256 count) internal pure returns (uint256[] memory gasLimits) {
        gasLimits = new uint256[](count);
        for (uint256 i = 0; i < count; ++i) {
            gasLimits[i] = 400_000;
        }
    }

    function _domainSeparator(string memory name, address verifier) internal view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256("1"),
                block.chainid,
                verifier
            )
        );
    }

    /// @dev Returns the error of a call by an account without the role.
    function _unauthorized(address account, bytes32 role) internal pure returns (bytes memory) {
        return abi.encodeWithSignature("AccessControlUnauthorizedAccount(address,bytes32)", account, role);
    }

    /// @dev Emits the event of a redeem, packed as the contract packs it.
    function _emitRedeemed(ICredits.RedeemRequest memory request, uint256 refunded) internal {
        emit ICredits.Redeemed(
            request.permit.customerWallet,
            bytes12(request.permit.nonce),
            keccak256(bytes(request.permit.creditSeed)),
            request.permit.nonce,
            uint256(request.settlement.kind) << 160 | uint160(request.settlement.target),
            request.intent.amount << 128 | request.intent.usdcAmount,
            refunded << 128 | request.gasFee
        );
    }

    function _customerCredits() internal view returns (uint256) {
        return credits.creditsOf(SEED, customer);
    }

    function _assertBacked() internal view {
        vm.assertGe(usdc.balanceOf(address(credits)), credits.totalCredits() + credits.feesOwed(), "backed");
    }
}
