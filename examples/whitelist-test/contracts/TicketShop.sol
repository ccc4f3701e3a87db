// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IUsdc {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

interface ITokenReceiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data)
        external
        returns (bytes4);
}

/// @title Sells numbered tickets to its caller, as ERC-721 tokens with the receiver hook: transaction type `safeMint`
contract TicketShop {
    IUsdc public immutable usdc;
    uint256 public immutable limit;
    uint256 public sold;
    mapping(uint256 id => address) public ownerOf;
    mapping(address owner => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    error SoldOut(uint256 limit);
    error NotYourTicket(uint256 id);
    error RefusedTicket(address receiver);

    constructor(IUsdc usdc_, uint256 limit_) {
        usdc = usdc_;
        limit = limit_;
    }

    /// @param price in raw units of USDC, taken from the caller
    function buy(uint256 price) external virtual {
        require(usdc.transferFrom(msg.sender, address(this), price));
        _hand(msg.sender);
        if (ITokenReceiver(msg.sender).onERC721Received(msg.sender, address(0), sold, "") != 0x150b7a02) {
            revert RefusedTicket(msg.sender);
        }
    }

    function transferFrom(address from, address to, uint256 id) external {
        if (msg.sender != from || ownerOf[id] != from) revert NotYourTicket(id);
        _move(from, to, id);
    }

    function _hand(address to) internal {
        if (sold == limit) revert SoldOut(limit);
        _move(address(0), to, ++sold);
    }

    function _move(address from, address to, uint256 id) private {
        if (from != address(0)) --balanceOf[from];
        ++balanceOf[to];
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }
}

/// @title Takes only half of the price
contract GenerousShop is TicketShop {
    constructor(IUsdc usdc_, uint256 limit_) TicketShop(usdc_, limit_) {}

    function buy(uint256 price) external override {
        require(usdc.transferFrom(msg.sender, address(this), price / 2));
        _hand(msg.sender);
        ITokenReceiver(msg.sender).onERC721Received(msg.sender, address(0), sold, "");
    }
}

/// @title Mints the ticket to its caller without the hook that `safeMint` requires
contract SilentShop is TicketShop {
    constructor(IUsdc usdc_, uint256 limit_) TicketShop(usdc_, limit_) {}

    function buy(uint256 price) external override {
        require(usdc.transferFrom(msg.sender, address(this), price));
        _hand(msg.sender);
    }
}
