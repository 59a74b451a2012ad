module github.com/zimbo-gateway/zimbo/sdk/go

go 1.24
