// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../../src/IBridgeAdapter.sol";
import {Payment} from "./HonestMerchants.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/// @title Fails in many ways, each with a different reason or without one
contract FailingMerchant is Payment {
    uint256 private _stock;

    error SoldOut(uint256 limit, string note);

    constructor(address usdc_) Payment(usdc_) {}

    function soldOut(uint256 price) external {
        _pull(price);
        this.checkStock(5);
    }

    function checkStock(uint256 limit) external view {
        if (_stock < limit) revert SoldOut(limit, "come back");
    }

    function underflow(uint256 price) external {
        _pull(price);
        --_stock;
    }

    function loopForever(uint256 price) external {
        _pull(price);
        while (price != 0) ++_stock;
    }

    function silent(uint256 price) external {
        _pull(price);
        if (_stock == 0) revert();
    }

    /// @dev Calls a contract that does not have the function.
    function asksAbsent(uint256 price) external {
        _pull(price);
        FailingMerchant(address(usdc)).underflow(1);
    }

    function recurse(uint256 depth) external {
        if (depth == 0) revert SoldOut(0, "at the bottom");
        this.recurse(depth - 1);
    }

    function invalidInstruction() external pure {
        assembly {
            invalid()
        }
    }
}

/// @title Takes its price in unusual ways
contract OddPayments is Payment {
    mapping(address receiver => uint256) public paidFor;
    uint256 public coinPrice = 3_141_592_653_589_793;

    constructor(address usdc_) Payment(usdc_) {}

    function buyAndSendBack(address receiver, uint256 price) external {
        _pull(price);
        paidFor[receiver] += price;
        require(usdc.transfer(msg.sender, price / 4), "OddPayments: transfer failed");
    }

    /// @dev Pulls from the customer or, if that fails, from its caller.
    function buyFromAnybody(address receiver, uint256 price) external {
        try usdc.transferFrom(receiver, address(this), price) {}
        catch {
            _pull(price);
        }
        paidFor[receiver] += price;
    }

    function buyOfOrigin(uint256 price) external {
        require(usdc.transferFrom(tx.origin, address(this), price), "OddPayments: transfer failed");
    }

    function buyTwice(uint256 price) external {
        _pull(price);
        _pull(price);
    }

    function buyWithCoin(uint256 price) external payable {
        require(msg.value == coinPrice, "OddPayments: coin price");
        _pull(price);
    }

    /// @dev Delivers only with a lot of gas. Makes no call that could fail.
    function buyWithPlentyOfGas(address receiver, uint256 price) external {
        _pull(price);
        if (gasleft() > 400_000) paidFor[receiver] += price;
    }
}

/// @title Emits many events, some of which are false
contract TalkativeMerchant is Payment {
    mapping(uint256 id => address) public ownerOf;
    mapping(address account => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Said(uint256 indexed number);

    constructor(address usdc_) Payment(usdc_) {}

    function sayMuch(uint256 price, uint256 times) external {
        _pull(price);
        for (uint256 i = 0; i < times; ++i) {
            emit Said(i);
        }
    }

    /// @dev Emits the event, but no account gets the token.
    function pretendMint(address receiver, uint256 price) external {
        _pull(price);
        emit Transfer(address(0), receiver, 1);
    }

    /// @dev The event names the receiver, but the caller gets the token.
    function pretendReceiver(address receiver, uint256 price) external {
        _pull(price);
        ownerOf[1] = msg.sender;
        emit Transfer(address(0), receiver, 1);
    }

    /// @dev Delivers a token without an event.
    function mintInSilence(uint256 price) external returns (uint256) {
        _pull(price);
        ownerOf[2] = msg.sender;
        ++balanceOf[msg.sender];
        return 2;
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from, "TalkativeMerchant: not the owner");
        ownerOf[id] = to;
        --balanceOf[from];
        ++balanceOf[to];
    }

    function answerMuch(uint256 price, uint256 times, uint256 size) external {
        _pull(price);
        for (uint256 i = 0; i < times; ++i) {
            this.bomb(size);
        }
    }

    function bomb(uint256 size) external pure {
        assembly {
            return(0, size)
        }
    }
}

/// @title Takes the money and then delivers. Keeps the money if the delivery fails
/// @dev A delivery uses `DELIVERY` gas, as a long mint would.
contract CatchingMerchant is Payment {
    uint256 public constant DELIVERY = 600_000;

    uint256 public paid;
    uint256 public delivered;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(uint256 price) external {
        _pull(price);
        ++paid;
        try this.deliver() {} catch {}
    }

    function deliver() external {
        require(msg.sender == address(this), "CatchingMerchant: not me");
        uint256 start = gasleft();
        ++delivered;
        uint256 spent = 0;
        while (start - gasleft() < DELIVERY - 1000) ++spent;
    }
}

/// @title Announces a token, and fails with 300,000 bytes on every other call
contract BombNft {
    function buy() external {
        IERC721Receiver(msg.sender).onERC721Received(address(this), address(0), 5, "");
    }

    fallback() external {
        assembly {
            revert(mload(0x40), 300000)
        }
    }
}

/// @title An NFT contract whose return data is too short or too long
contract ShortNft {
    bytes private _balance;
    bytes private _owner;
    uint256 public moved;
    bool public refuses;

    /// @param balance the return data of `balanceOf`, byte by byte
    /// @param owner the return data of `ownerOf` after `buy` was called, byte by byte
    function answer(bytes calldata balance, bytes calldata owner) external {
        _balance = balance;
        _owner = owner;
    }

    /// @dev After this call, `ownerOf` reverts with the caller's address as its reason.
    function refuse() external {
        refuses = true;
    }

    function buy() external returns (uint256) {
        return 5;
    }

    /// @dev Pulls the whole amount, and returns the data that `ownerOf` should return.
    function take(IERC20 token, uint256 amount) external returns (address) {
        require(token.transferFrom(msg.sender, address(this), amount));
        return msg.sender;
    }

    function balanceOf(address) external view {
        _answer(_balance);
    }

    function ownerOf(uint256) external view {
        if (refuses) {
            bytes memory asker = abi.encode(msg.sender);
            assembly ("memory-safe") {
                revert(add(asker, 0x20), mload(asker))
            }
        }
        _answer(_owner);
    }

    function transferFrom(address, address, uint256) external {
        ++moved;
    }

    function _answer(bytes memory data) private pure {
        assembly ("memory-safe") {
            return(add(data, 0x20), mload(data))
        }
    }
}

/// @title A bridge adapter that takes only part of the approved amount
contract FrugalAdapter {
    IERC20 private immutable _usdc;
    uint256 public taken;

    constructor(address usdc_) {
        _usdc = IERC20(usdc_);
    }

    function setTaken(uint256 amount) external {
        taken = amount;
    }

    function bridge(IBridgeAdapter.Request calldata) external returns (bytes32) {
        require(_usdc.transferFrom(msg.sender, address(this), taken), "FrugalAdapter: transfer failed");
        return 0;
    }
}

/// @title Records the gas that it has at its first instruction
contract GasMeter {
    uint256 public given;

    fallback() external {
        assembly {
            sstore(0, gas())
        }
    }
}
